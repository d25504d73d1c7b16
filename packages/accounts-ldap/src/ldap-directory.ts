import type { Directory } from '@carnet/accounts/directory';
import { checkServers } from './check.ts';
import { type ConnectionSettings, openConnection } from './connection/connection.ts';
import { createPool, type PoolOptions } from './connection/pool.ts';
import { createServers } from './connection/servers.ts';
import type { LdapDirectoryOptions } from './options.ts';
import { type LdapSettings, settingsOf } from './settings.ts';
import { createPasswordChange } from './users/change-password.ts';
import { createUserSearch } from './users/search.ts';
import { createVerification } from './users/verify.ts';

/** The pool for searches, bound as the service account, and the pool for passwords, on the same servers. */
const openPools = ({ name, servers: urls, ca, account, timeoutMs, poolSize }: LdapSettings) => {
  const anonymous: ConnectionSettings = { name, timeoutMs, ca };
  const bound: ConnectionSettings = { ...anonymous, account };
  const servers = createServers({
    servers: urls,
    probe: async (server) => (await openConnection(server, bound)).close(),
    onRecovered: (later) => {
      for (const pool of [searches, passwords]) pool.discard(later);
    },
  });
  const common: Omit<PoolOptions, 'open'> = { name, servers, size: poolSize, timeoutMs };
  const searches = createPool({ ...common, open: (server) => openConnection(server, bound) });
  const passwords = createPool({ ...common, open: (server) => openConnection(server, anonymous) });
  const close = (): void => {
    for (const part of [servers, searches, passwords]) part.close();
  };
  return { searches, passwords, close };
};

/**
 * A directory on LDAP servers (RFC 4511) or Active Directory. It connects at the first request, so that an outage at
 * startup does not end the process.
 *
 * @throws TypeError for an option that cannot work; the message names it
 */
export const openLdapDirectory = async (options: LdapDirectoryOptions): Promise<Directory> => {
  const settings = settingsOf(options);
  const { name, base } = settings;
  const isEncrypted = settings.servers.every(({ security }) => security !== 'none');
  const pools = openPools(settings);
  const search = createUserSearch({ settings, pool: pools.searches });
  const { verify, verifyUnknown } = createVerification({ name, base, pool: pools.passwords, search });
  return {
    name,
    find: search.find,
    load: search.load,
    verify,
    verifyUnknown,
    // A new password never travels in clear text.
    ...(isEncrypted ? { changePassword: createPasswordChange({ settings, pool: pools.passwords }) } : {}),
    check: () => checkServers(settings),
    close: async () => pools.close(),
  };
};
