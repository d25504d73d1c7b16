import type { OpenedAccounts } from '@carnet/accounts';
import type { AccountsSql } from '@carnet/accounts/store';
import { nameFailures } from '../accounts/failures.ts';
import { loadAccountsPackage, openAccounts } from '../accounts/open-accounts.ts';
import type { Config } from '../config/schema.ts';
import { ConfigError } from '../errors.ts';
import { createVault } from '../keys/sealing/vault.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

type AccountsParts = Pick<Config, 'dev' | 'accounts' | 'urls' | 'secrets'>;

/**
 * Calls `use` with the accounts of a configuration, and closes them afterwards. It migrates nothing.
 *
 * @throws ConfigError if no accounts are configured; CarnetError `accounts_unavailable`
 */
export const withAccounts = async <T>(
  config: AccountsParts,
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
