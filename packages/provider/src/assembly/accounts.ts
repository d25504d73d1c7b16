import type { Accounts, OpenedAccounts } from '@carnet/accounts';
import { createAccountEvents } from '../accounts/account-events.ts';
import { accountRoutes } from '../accounts/account-routes.ts';
import { createAccountsApi } from '../accounts/accounts-api.ts';
import { loadAccountsModule, openAccounts } from '../accounts/open-accounts.ts';
import { accountsOptionsOf } from '../accounts/options.ts';
import type { Api } from '../api.ts';
import type { Config } from '../config/schema.ts';
import type { Route } from '../http/types.ts';
import { createVault } from '../keys/sealing/vault.ts';
import { readEndedAt } from '../sessions/session-record.ts';
import type { CachePurge } from './carnet.ts';
import type { Foundation } from './foundation.ts';

/** The accounts of the configuration. */
export interface ConfiguredAccounts {
  readonly api: Accounts;
  /** The routes of the admin API. */
  readonly routes: () => readonly Route[];
  /** Purges the user cache of this process. */
  readonly purge: (which: CachePurge) => Promise<number>;
  /** The classes (`acr`) that sign-ins can reach, weakest first. */
  readonly acrValues: readonly string[];
  readonly check: OpenedAccounts['check'];
  readonly validateCheck: OpenedAccounts['validateCheck'];
}

/** The log removes the query of every URL, and with it the token of a link. */
const printMail = (text: string): void => void process.stdout.write(`${text}\n`);

/** Ends the remembered logins of a user, and revokes tokens and consents: after a change of the password if that is configured. */
const createRevocation =
  ({ accounts }: Config, { sessions, consents }: Pick<Api, 'sessions' | 'consents'>) =>
  async (subject: string, isDeleted: boolean): Promise<void> => {
    await sessions.revoke({ subject });
    if (isDeleted || accounts?.revokeTokensOnPasswordChange) await consents.revoke({ subject, all: true });
  };

/** Opens the accounts, if they are configured. */
export const openConfiguredAccounts = async (
  base: Foundation,
  users: Pick<Api, 'sessions' | 'consents'>,
): Promise<ConfiguredAccounts | undefined> => {
  const { config, adapter, logger, telemetry, now } = base;
  const { purgeElsewhere = async () => 0, showMail = printMail, passwordCheck } = base.options;
  const options = accountsOptionsOf(config);
  if (options === undefined) return undefined;
  const onEvent = createAccountEvents({ telemetry, revoke: createRevocation(config, users) });
  const accountsModule = await loadAccountsModule();
  const vault = createVault(config.secrets.system, 'accounts');
  const sessionsEndedAt = (subject: string) => readEndedAt(adapter, subject);
  const dependencies = { vault, logger, now, onEvent, showMail, passwordCheck, sessionsEndedAt };
  const opened = await openAccounts(accountsModule, options, dependencies);
  base.onClose(opened.close);
  const { acrValues } = await opened.settings();
  const purge = async (which: CachePurge) => (await opened.directories.purge(which)).removed;
  const purgeAll: Accounts['directories']['purge'] = async (which = {}) => {
    const [here, elsewhere] = await Promise.all([purge(which), purgeElsewhere(which)]);
    return { removed: here + elsewhere };
  };
  const accounts: Accounts = { ...opened, directories: { ...opened.directories, purge: purgeAll } };
  return {
    api: createAccountsApi(accounts, accountsModule),
    routes: () => accountRoutes(accounts, accountsModule),
    purge,
    acrValues,
    check: opened.check,
    validateCheck: opened.validateCheck,
  };
};
