import type { AccountsDependencies, AccountsOptions, OpenedAccounts } from '@carnet/accounts';
import { CarnetError, ConfigError } from '../errors.ts';
import { nameFailures } from './failures.ts';

/** Loaded by name: only a program that configures `accounts` has to install the package. */
const packageName = '@carnet/accounts';

export type AccountsModule = typeof import('@carnet/accounts');

/** The package of the accounts API. @throws ConfigError if it is not installed */
export const loadAccountsModule = async (): Promise<AccountsModule> => {
  try {
    return (await import(packageName)) as AccountsModule;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new ConfigError([
      `accounts: the package ${packageName} is not installed. Run \`npm install ${packageName}\`.`,
    ]);
  }
};

/** At the start, an unsupported feature is a missing package or a combination of settings. */
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
  { openAccounts: open }: AccountsModule,
  options: AccountsOptions,
  deps: AccountsDependencies,
): Promise<OpenedAccounts> => {
  try {
    return await nameFailures(() => open(options, deps));
  } catch (error) {
    if (isOfConfiguration(error)) throw new ConfigError([`accounts: ${error.message}`]);
    throw error;
  }
};
