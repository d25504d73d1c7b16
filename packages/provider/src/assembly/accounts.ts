import type { Accounts, AccountsEvent, OpenedAccounts } from '@carnet/accounts';
import { createAccountEvents } from '../accounts/account-events.ts';
import { createAccountsApi, type Operations } from '../accounts/accounts-api.ts';
import { loadAccountsModule, openAccounts } from '../accounts/open-accounts.ts';
import { accountsOptionsOf } from '../accounts/options.ts';
import type { Api } from '../api.ts';
import type { Config } from '../config/schema.ts';
import { createVault } from '../keys/vault.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { CachePurge, CreateProviderOptions } from './carnet.ts';

/** The accounts of the configuration. */
export interface ConfiguredAccounts {
  readonly api: Accounts;
  /** Purges the user cache of this process. */
  readonly purge: (which: CachePurge) => Promise<number>;
  readonly operations: Operations;
  /** The classes (`acr`) that sign-ins can reach, weakest first. */
  readonly acrValues: readonly string[];
  readonly check: OpenedAccounts['check'];
  readonly validateCheck: OpenedAccounts['validateCheck'];
  /** Sets the function that is called after each change of a password. */
  onPasswordChange(revoke: (subject: string) => Promise<void>): void;
  close(): Promise<void>;
}

/** The log removes the query of every URL, and with it the token of a link. */
const printMail = (text: string): void => void process.stdout.write(`${text}\n`);

interface OpeningDependencies {
  readonly config: Config;
  readonly options: Pick<CreateProviderOptions, 'purgeElsewhere' | 'showMail'>;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'audit' | 'metrics'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Opens the accounts, if they are configured. */
export const openConfiguredAccounts = async (deps: OpeningDependencies): Promise<ConfiguredAccounts | undefined> => {
  const { config, logger, telemetry, now } = deps;
  const { purgeElsewhere = async () => 0, showMail = printMail } = deps.options;
  const options = accountsOptionsOf(config);
  if (options === undefined) return undefined;
  // The functions that end sessions are created later, with the API.
  let passwordChanged: (subject: string) => Promise<void> = async () => {};
  const onEvent: (event: AccountsEvent) => Promise<void> = createAccountEvents({
    telemetry,
    passwordChanged: (subject) => passwordChanged(subject),
  });
  const accountsModule = await loadAccountsModule();
  const vault = createVault(config.secrets.system, 'accounts');
  const opened = await openAccounts(accountsModule, options, { vault, logger, now, onEvent, showMail });
  const { acr_values: acrValues } = await opened.settings({});
  const purge = async (which: CachePurge) => (await opened['directories/purge'](which)).removed;
  const purgeAll: Accounts['directories/purge'] = async (which) => {
    const [here, elsewhere] = await Promise.all([purge(which), purgeElsewhere(which)]);
    return { removed: here + elsewhere };
  };
  return {
    api: createAccountsApi({ ...opened, 'directories/purge': purgeAll }, accountsModule.operations),
    purge,
    acrValues,
    operations: accountsModule.operations,
    check: opened.check,
    validateCheck: opened.validateCheck,
    onPasswordChange: (revoke) => {
      passwordChanged = revoke;
    },
    close: opened.close,
  };
};

/** Ends the remembered logins of a user whose password was changed, and revokes the tokens if that is configured. */
export const createRevocation =
  ({ accounts }: Config, { sessions, consents }: Pick<Api, 'sessions' | 'consents'>) =>
  async (subject: string): Promise<void> => {
    await sessions.revoke({ subject });
    if (accounts?.revokeTokensOnPasswordChange) await consents.revoke({ subject, all: true });
  };
