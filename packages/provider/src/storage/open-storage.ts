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

export const closeAll = async (opened: ReadonlyMap<string, { close(): Promise<void> }>): Promise<void> => {
  await Promise.all([...opened.values()].map((each) => each.close()));
};

/** Opens each URL. If one fails, those that were opened before are closed. */
const openEach = async <T extends { close(): Promise<void> }>(
  urls: readonly string[],
  open: (url: string, module: AdapterModule) => Promise<T> | undefined,
): Promise<ReadonlyMap<string, T>> => {
  const opened = new Map<string, T>();
  try {
    for (const url of urls) {
      const module = await loadModule(url);
      const each = await opening(async () => open(url, module));
      if (each !== undefined) opened.set(url, each);
    }
    return opened;
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
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
  const urls = urlsOf(config).filter((url) => !(own && url === config.default));
  const opened = await openEach(urls, (url, { openAdapter }) => openAdapter({ url }));
  const others = groupNames.flatMap((name) => {
    const store = opened.get(config[name] ?? '');
    return store === undefined ? [] : [[name, store] as const];
  });
  const fallback = own ?? (opened.get(config.default) as StorageAdapter);
  return { stores: storesOf(fallback, Object.fromEntries(others)), close: () => closeAll(opened) };
};

/** The migrators of the stores, by URL. Stores without a schema have none. */
export const openMigrators = (config: StorageConfig): Promise<ReadonlyMap<string, Migrator>> => {
  const urls = urlsOf(config).filter((url) => url !== 'adapter:');
  return openEach(urls, (url, { openMigrator }) => openMigrator?.({ url }));
};

/**
 * Migrates the schema of every store at startup. Returns the applied steps. Several processes may do so at once.
 * Outside dev mode it skips stores that only an operator may migrate (`onlyByHand`).
 */
export const migrateAtStart = async (config: StorageConfig, dev: boolean): Promise<readonly string[]> => {
  const applied: string[] = [];
  const migrators = await openMigrators(config);
  try {
    for (const migrator of migrators.values())
      if (dev || !migrator.onlyByHand) applied.push(...(await guardCall(() => migrator.up())));
    return applied;
  } finally {
    await closeAll(migrators);
  }
};
