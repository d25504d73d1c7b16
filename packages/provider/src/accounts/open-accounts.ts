import type { AccountsConfig, AccountsDependencies } from '@carnet/accounts';
import { CarnetError, ConfigError } from '../errors.ts';
import { loadPackage } from '../storage/load-package.ts';
import { nameFailures } from './failures.ts';

export type AccountsModule = typeof import('@carnet/accounts');

/** Loads a package of the accounts by name: only a program that configures them has to install it. @throws ConfigError */
export const loadAccountsPackage = (name: string): Promise<unknown> => loadPackage(name, { key: 'accounts' });

/** The package of the accounts API. @throws ConfigError if it is not installed */
export const loadAccountsModule = async (): Promise<AccountsModule> =>
  (await loadAccountsPackage('@carnet/accounts')) as AccountsModule;

/** At the start, an unsupported feature is a combination of settings. */
const isOfConfiguration = (error: unknown): error is Error =>
  error instanceof CarnetError
    ? error.code === 'not_supported'
    : error instanceof Error &&
      /^invalid_(?:configuration|settings)$/.test((error as NodeJS.ErrnoException).code ?? '');

/**
 * Opens the directories and the accounts database.
 *
 * @throws ConfigError for a missing package and for settings that cannot be used; CarnetError `accounts_unavailable` if the accounts database does not answer
 */
export const openAccounts = async (
  config: AccountsConfig,
  others: Parameters<AccountsModule['accountsOptionsOf']>[1],
  deps: Omit<AccountsDependencies, 'load'>,
) => {
  const accountsModule = await loadAccountsModule();
  const options = accountsModule.accountsOptionsOf(config, others);
  try {
    const open = () => accountsModule.openAccounts(options, { ...deps, load: loadAccountsPackage });
    return { accountsModule, opened: await nameFailures(open) };
  } catch (error) {
    if (isOfConfiguration(error)) throw new ConfigError([`accounts: ${error.message}`]);
    throw error;
  }
};
