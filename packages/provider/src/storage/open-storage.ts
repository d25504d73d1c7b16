import type { Migrator, OpenAdapter, OpenMigrator, StorageAdapter } from '@carnet/adapter-contract';
import { ConfigError } from '../errors.ts';
import { type Stores, storesOf } from './compose.ts';
import type { StorageConfig } from './config.ts';
import { groupNames } from './groups.ts';
import { guardCall, remedyIn } from './guard.ts';
import { loadPackage } from './load-package.ts';
import { adapterPackages, schemeOf } from './schemes.ts';

interface AdapterModule {
  readonly openAdapter: OpenAdapter;
  /** Where the store has a schema. */
  readonly openMigrator?: OpenMigrator;
}

/** The package that serves a URL. Loaded by name, so that only the chosen one has to be installed. */
const loadModule = async (url: string): Promise<AdapterModule> => {
  const name = adapterPackages[schemeOf(url)];
  if (name === undefined) {
    throw new ConfigError([
      'storage.default: adapter: is only valid with an adapter passed to createProvider. Set the URL of a store.',
    ]);
  }
  const use = { key: 'storage', otherwise: 'pass createProvider a store of your own as `adapter`' };
  return (await loadPackage(name, use)) as AdapterModule;
};

/** Converts the error of opening a store: a problem of the configuration, or `storage_unavailable` for an outage. */
const opening = async <T>(open: () => Promise<T>): Promise<T> => {
  try {
    return await guardCall(open);
  } catch (error) {
    const remedy = remedyIn(error);
    throw remedy === undefined ? error : new ConfigError([`storage: ${remedy}`]);
  }
};

const urlsOf = (config: StorageConfig): readonly string[] => [
  ...new Set([config.default, ...groupNames.map((name) => config[name])].filter((url) => url !== undefined)),
];

const openUrl = async (url: string): Promise<StorageAdapter> => {
  const { openAdapter } = await loadModule(url);
  return opening(() => openAdapter({ url }));
};

export const closeAll = async (opened: ReadonlyMap<string, { close(): Promise<void> }>): Promise<void> => {
  await Promise.all([...opened.values()].map((each) => each.close()));
};

export interface OpenedStores {
  readonly stores: Stores;
  /** Closes the stores that were opened here, not those of the application. */
  close(): Promise<void>;
}

/**
 * Opens every store of the configuration, each URL once; `own` replaces `storage.default`.
 *
 * @throws ConfigError when one can't be used as it is; CarnetError `storage_unavailable` when it does not answer.
 */
export const openStores = async (config: StorageConfig, own?: StorageAdapter): Promise<OpenedStores> => {
  const opened = new Map<string, StorageAdapter>();
  const close = () => closeAll(opened);
  try {
    for (const url of urlsOf(config)) if (!(own && url === config.default)) opened.set(url, await openUrl(url));
  } catch (error) {
    await close();
    throw error;
  }
  const others = groupNames.flatMap((name) => {
    const store = opened.get(config[name] ?? '');
    return store === undefined ? [] : [[name, store] as const];
  });
  const fallback = own ?? (opened.get(config.default) as StorageAdapter);
  return { stores: storesOf(fallback, Object.fromEntries(others)), close };
};

/** The migrators of the stores, by URL. Stores without a schema have none. */
export const openMigrators = async (config: StorageConfig): Promise<ReadonlyMap<string, Migrator>> => {
  const migrators = new Map<string, Migrator>();
  try {
    for (const url of urlsOf(config)) {
      if (url === 'adapter:') continue;
      const { openMigrator } = await loadModule(url);
      if (openMigrator !== undefined) migrators.set(url, await opening(() => openMigrator({ url })));
    }
    return migrators;
  } catch (error) {
    await closeAll(migrators);
    throw error;
  }
};
