import { withAccounts } from '@carnet/provider/accounts';
import type { Surface, Values } from '../command.ts';
import { loadPartsFromCommandLine } from '../config/command-line.ts';

type Opened = Parameters<Parameters<typeof withAccounts>[1]>[0];

/** Calls `use` with the directories of the configuration, and closes them afterwards. */
export const withDirectories = <T>(
  values: Values,
  surface: Pick<Surface, 'env'>,
  use: (directories: Opened['userDirectories']) => Promise<T>,
): Promise<T> => {
  const config = loadPartsFromCommandLine(values, surface, ['dev', 'accounts', 'urls', 'secrets']);
  return withAccounts(config, ({ userDirectories }) => use(userDirectories));
};
