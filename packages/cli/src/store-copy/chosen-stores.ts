import type { StorageConfig } from '@carnet/provider/storage';
import { type Surface, text, UsageError, type Values } from '../command.ts';
import { loadPartsFromCommandLine } from '../config/command-line.ts';
import { loadParts } from '../config/load-config.ts';

const isUrl = (value: string): boolean => /^[a-z][a-z-]+:/.test(value);

/** The stores of a URL, or of a configuration file. Variables of the environment do not apply: there are two stores. */
const storageOf = (value: string): StorageConfig => {
  const source = isUrl(value) ? { settings: { storage: { default: value } } } : { file: value };
  return loadParts({ ...source, env: {} }, ['storage']).storage;
};

/** The stores that the command line names. @throws UsageError, ConfigError */
export const chosenStores = (values: Values, surface: Pick<Surface, 'env'>) => {
  const [from, to] = [text(values, 'from'), text(values, 'to')];
  if (to === undefined) throw new UsageError('Name the store that gets the copy: --to postgres://user@host/database');
  return {
    from: from === undefined ? loadPartsFromCommandLine(values, surface, ['storage']).storage : storageOf(from),
    to: storageOf(to),
  };
};
