import type { Accounts, AccountsEvent, OpenedAccounts } from '@carnet/accounts';
import { createAccountEvents } from '../accounts/account-events.ts';
import { accountRoutes } from '../accounts/account-routes.ts';
import { createAccountsApi } from '../accounts/accounts-api.ts';
import { loadAccountsModule, openAccounts } from '../accounts/open-accounts.ts';
import { accountsOptionsOf } from '../accounts/options.ts';
import type { Api } from '../api.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/schema.ts';
import type { Route } from '../http/types.ts';
import { createVault } from '../keys/sealing/vault.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { CachePurge, CreateProviderOptions } from './carnet.ts';

/** The sessions of users, as the accounts need them. */
interface AccountSessions {
  /** Ends the remembered logins of a user, and revokes the tokens if that is configured or `isDeleted`. */
  revoke(subject: string, isDeleted: boolean): Promise<void>;
  /** Milliseconds since 1970: when all sessions of the user were ended last. */
  endedAt(subject: string): Promise<number | undefined>;
}

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
  /** Sets the functions on sessions, which are created later. */
  useSessions(sessions: AccountSessions): void;
  close(): Promise<void>;
}

/** The log removes the query of every URL, and with it the token of a link. */
const printMail = (text: string): void => void process.stdout.write(`${text}\n`);

interface OpeningDependencies extends Clock {
  readonly config: Config;
  readonly options: Pick<CreateProviderOptions, 'passwordCheck' | 'purgeElsewhere' | 'showMail'>;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'audit' | 'metrics'>;
}

/** Opens the accounts, if they are configured. */
export const openConfiguredAccounts = async (deps: OpeningDependencies): Promise<ConfiguredAccounts | undefined> => {
  const { config, logger, telemetry, now } = deps;
  const { purgeElsewhere = async () => 0, showMail = printMail, passwordCheck } = deps.options;
  const options = accountsOptionsOf(config);
  if (options === undefined) return undefined;
  // The functions that end sessions are created later, with the API.
  let sessions: AccountSessions = { revoke: async () => {}, endedAt: async () => undefined };
  const onEvent: (event: AccountsEvent) => Promise<void> = createAccountEvents({
    telemetry,
    revoke: (...user) => sessions.revoke(...user),
  });
  const accountsModule = await loadAccountsModule();
  const vault = createVault(config.secrets.system, 'accounts');
  const sessionsEndedAt = (subject: string) => sessions.endedAt(subject);
  const dependencies = { vault, logger, now, onEvent, showMail, passwordCheck, sessionsEndedAt };
  const opened = await openAccounts(accountsModule, options, dependencies);
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
    useSessions: (given) => {
      sessions = given;
    },
    close: opened.close,
  };
};

/** Ends the remembered logins of a user, and revokes tokens and consents: after a change of the password if that is configured. */
export const createRevocation =
  ({ accounts }: Config, { sessions, consents }: Pick<Api, 'sessions' | 'consents'>) =>
  async (subject: string, isDeleted: boolean): Promise<void> => {
    await sessions.revoke({ subject });
    if (isDeleted || accounts?.revokeTokensOnPasswordChange) await consents.revoke({ subject, all: true });
  };
