import type { Accounts, AccountsDependencies, OpenedAccounts } from '@carnet/accounts';
import { createAccountEvents } from '../accounts/account-events.ts';
import { openAccounts } from '../accounts/open-accounts.ts';
import { accountRoutes, createAccountsApi } from '../accounts/operations.ts';
import type { Api } from '../api.ts';
import type { Route } from '../http/types.ts';
import { createVault } from '../keys/sealing/vault.ts';
import { readEndedAt } from '../sessions/session-record.ts';
import { adminRequest } from '../telemetry/audit.ts';
import type { CachePurge } from './carnet.ts';
import type { Foundation } from './foundation.ts';

/** The accounts of the configuration. */
export interface ConfiguredAccounts extends Pick<OpenedAccounts, 'check' | 'sufficientAcrs' | 'validateCheck'> {
  readonly api: Accounts;
  /** The routes of the admin API. */
  readonly routes: () => readonly Route[];
  /** Purges the user cache of this process. */
  readonly purge: (which: CachePurge) => Promise<number>;
  /** The classes (`acr`) that sign-ins can reach, weakest first. */
  readonly acrValues: readonly string[];
}

/** The log removes the query of every URL, and with it the token of a link. */
const printMail = (text: string): void => void process.stdout.write(`${text}\n`);

/** Opens the accounts, if they are configured. */
export const openConfiguredAccounts = async (
  base: Foundation,
  users: Pick<Api, 'sessions' | 'consents'>,
): Promise<ConfiguredAccounts | undefined> => {
  const { config, adapter, logger, telemetry, now } = base;
  const { purgeElsewhere = async () => 0, showMail = printMail, passwordCheck } = base.options;
  if (config.accounts === undefined) return undefined;
  const onEvent = createAccountEvents({ config: config.accounts, metrics: telemetry.metrics, ...users });
  const audit: AccountsDependencies['audit'] = (record) => telemetry.audit({ ...record, ...adminRequest.getStore() });
  const vault = createVault(config.secrets.system, 'accounts');
  const sessionsEndedAt = (subject: string) => readEndedAt(adapter, subject);
  const dependencies = { vault, logger, now, audit, onEvent, showMail, passwordCheck, sessionsEndedAt };
  const { accountsModule, opened } = await openAccounts(config.accounts, config, dependencies);
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
    sufficientAcrs: opened.sufficientAcrs,
    check: opened.check,
    validateCheck: opened.validateCheck,
  };
};
