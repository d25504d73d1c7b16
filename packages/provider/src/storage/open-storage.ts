import type { OpenAdapter, StorageAdapter } from '@carnet/adapter-contract';
import { ConfigError } from '../errors.ts';

/** Which package serves a scheme. Loaded by name, so that only the chosen one has to be installed. */
const adapterPackages: Readonly<Record<string, string>> = {
  memory: '@carnet/adapter-memory',
  sqlite: '@carnet/adapter-sqlite',
  postgres: '@carnet/adapter-postgres',
  postgresql: '@carnet/adapter-postgres',
  redis: '@carnet/adapter-redis',
  rediss: '@carnet/adapter-redis',
  'redis-cluster': '@carnet/adapter-redis',
};

/** The schemes of `storage.url`. */
export const storageSchemes: readonly string[] = Object.keys(adapterPackages);

/** Opens the store a URL names. Throws ConfigError when its package is not installed. */
export const openStorage = async (url: string): Promise<StorageAdapter> => {
  const name = adapterPackages[url.split(':', 1)[0] ?? ''];
  if (name === undefined) {
    throw new ConfigError([
      'storage.url: adapter: stands for a store that a program hands to createProvider. Name one.',
    ]);
  }
  let module: { openAdapter: OpenAdapter };
  try {
    module = (await import(name)) as typeof module;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new ConfigError([
      `storage.url: the package ${name} is not installed. Install it, or hand createProvider a store of your own as \`adapter\`.`,
    ]);
  }
  return module.openAdapter({ url });
};

/** Refuses a store that can't keep safe what it would be asked to: whoever wrote it says what it can. */
export const assertFits = (
  { capabilities }: Pick<StorageAdapter, 'capabilities'>,
  { workers, dev }: { readonly workers: number; readonly dev: boolean },
): void => {
  const problems: string[] = [];
  if (workers > 1 && !capabilities.shared) {
    problems.push(`workers: the store can't be shared by ${workers} processes. Use 1, or another store.`);
  }
  if (!dev && !capabilities.durable) {
    problems.push('storage: what the store holds ends with the process. Use another store, or dev mode.');
  }
  if (capabilities.atomicCommit !== 'all') {
    problems.push('storage: the store is atomic for one grant only, and a login writes more. Use another store.');
  }
  if (problems.length > 0) throw new ConfigError(problems);
};
