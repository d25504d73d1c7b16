import type { Accounts, AccountsDependencies, OpenedAccounts } from '@carnet/accounts';
import type { AccountsSql } from '@carnet/accounts/store';
import { createAccountEvents } from '../accounts/account-events.ts';
import { nameFailures } from '../accounts/failures.ts';
import { loadAccountsPackage, openAccounts } from '../accounts/open-accounts.ts';
import { accountRoutes, createAccountsApi, createManagementApi, managementRoutes } from '../accounts/operations.ts';
import { openScim } from '../accounts/scim.ts';
import { validateCheckRoute } from '../accounts/validate-check-route.ts';
import type { Api } from '../api.ts';
import type { Config } from '../config/schema.ts';
import { ConfigError } from '../errors.ts';
import type { Route } from '../http/types.ts';
import { createVault } from '../keys/sealing/vault.ts';
import { readEndedAt } from '../sessions/session-record.ts';
import { adminRequest } from '../telemetry/audit.ts';
import type { CachePurge } from './carnet.ts';
import type { Foundation } from './foundation.ts';

/** The log removes the query of every URL, and with it the token of a link. */
const printMail = (text: string): void => void process.stdout.write(`${text}\n`);

/** Issuers share the system secrets. The secrets of factors stay readable, because issuers may share the accounts database. */
const vaultOf = ({ config, options: { issuerName } }: Foundation): AccountsDependencies['vault'] => {
  const vault = createVault(config.secrets.system, 'accounts');
  if (issuerName === undefined) return vault;
  // The one step that keeps a sign-in at its issuer: a text of another one is of another place, and is not decrypted.
  const placeOf = (place: string): string => JSON.stringify(['issuer', issuerName, place]);
  const seal = (place: string, text: string): string => vault.seal(placeOf(place), text);
  return { ...vault, ofBrowser: { seal, open: (place, text) => vault.open(placeOf(place), text) } };
};

/** Opens the accounts, if they are configured. */
export const openConfiguredAccounts = async (base: Foundation, users: Pick<Api, 'sessions' | 'consents'>) => {
  const { config, adapter, logger, telemetry, now } = base;
  const { purgeElsewhere = async () => 0, revokeElsewhere, showMail = printMail, passwordCheck } = base.options;
  if (config.accounts === undefined) return undefined;
  const reporting = { config: config.accounts, metrics: telemetry.metrics, ...users };
  const onEvent = createAccountEvents({ ...reporting, revokeElsewhere });
  const audit: AccountsDependencies['audit'] = (record) => telemetry.audit({ ...record, ...adminRequest.getStore() });
  const vault = vaultOf(base);
  const sessionsEndedAt = (subject: string) => readEndedAt(adapter, subject);
  const sendToProvider: AccountsDependencies['sendToProvider'] = (request) =>
    base.outbound.send({ ...request, purpose: 'identity_provider' });
  const dependencies = {
    ...{ vault, logger, now, audit, onEvent, showMail, passwordCheck },
    ...{ sessionsEndedAt, purgeElsewhere, sendToProvider },
  };
  const { accountsModule, opened } = await openAccounts(config.accounts, config, dependencies);
  base.onClose(opened.close);
  const { acrValues, scopes } = await opened.settings();
  const purge = async (which: CachePurge) => (await opened.directories.purge(which)).removed;
  const purgeAll: Accounts['directories']['purge'] = async (which = {}) => {
    const [here, elsewhere] = await Promise.all([purge(which), purgeElsewhere(which)]);
    return { removed: here + elsewhere };
  };
  const accounts: Accounts = { ...opened, directories: { ...opened.directories, purge: purgeAll } };
  const managed = createManagementApi(opened, accountsModule);
  const onError = (err: unknown) => logger.error({ err }, 'A SCIM request failed.');
  const scim = await openScim({ ...managed, config: config.accounts.scim, issuer: config.issuer, now, onError });
  return {
    api: createAccountsApi(accounts, accountsModule),
    ...managed,
    /** Undefined if it is off. */
    scim,
    /** The routes of the admin API. */
    routes: (): readonly Route[] => [
      ...accountRoutes(accounts, accountsModule),
      ...managementRoutes(managed, accountsModule),
      ...(opened.validateCheck === undefined ? [] : [validateCheckRoute(opened.validateCheck)]),
    ],
    /** Purges the user cache of this process. */
    purge,
    /** The classes (`acr`) that sign-ins can reach, weakest first. */
    acrValues,
    ...{ scopes, sufficientAcrs: opened.sufficientAcrs },
    check: opened.check,
  };
};

/** The accounts of the configuration. */
export type ConfiguredAccounts = NonNullable<Awaited<ReturnType<typeof openConfiguredAccounts>>>;

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * Calls `use` with the accounts of a configuration, and closes them afterwards. It migrates nothing.
 *
 * @throws ConfigError if no accounts are configured; CarnetError `accounts_unavailable`
 */
export const withAccounts = async <T>(
  config: Pick<Config, 'dev' | 'accounts' | 'urls' | 'secrets'>,
  use: (accounts: OpenedAccounts) => Promise<T>,
): Promise<T> => {
  if (config.accounts === undefined) throw new ConfigError(['accounts: is missing. Set accounts.directories.']);
  const vault = createVault(config.secrets.system, 'accounts');
  const accounts = { ...config.accounts, migrate: false };
  // No user signs in here: no token is issued that is bound to the issuer.
  const others = { ...config, issuer: '' };
  const { opened } = await openAccounts(accounts, others, { vault, logger: silent, now: Date.now });
  try {
    return await nameFailures(() => use(opened));
  } finally {
    await opened.close();
  }
};

/** The migrator of the accounts database. Undefined if there is none. @throws CarnetError `accounts_unavailable` */
export const openAccountsMigrator = async ({ accounts }: Pick<Config, 'accounts'>) => {
  const url = accounts?.database;
  if (url === undefined) return undefined;
  const { openAccountsMigrator: open } = (await loadAccountsPackage('@carnet/accounts-sql')) as AccountsSql;
  return nameFailures(() => open({ url }));
};
