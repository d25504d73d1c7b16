import type { AccountsMigrator } from '@carnet/directory-sql';
import type { AccountsOptions } from '../options.ts';
import { loadPackage } from './load-package.ts';

/** The migrator of the accounts database; undefined if none is configured. The caller closes it. */
export const openAccountsMigrator = async ({
  database: url,
}: Pick<AccountsOptions, 'database'>): Promise<AccountsMigrator | undefined> => {
  if (url === undefined) return undefined;
  const { openAccountsMigrator: open } = await loadPackage('@carnet/directory-sql');
  return open({ url });
};
