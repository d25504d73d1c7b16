import type { StorageAdapter } from '@carnet/adapter-contract';
import { openSqliteAdapter, type SqliteStore } from './sqlite-adapter.ts';

export { openMigrator } from './migrator.ts';
export { openSqliteAdapter, type SqliteAdapterOptions, type SqliteStore } from './sqlite-adapter.ts';

/**
 * Opens a file, `sqlite:carnet.db`, or the file of a `DatabaseSync` that the app has open already and closes itself. The
 * tables of Carnet are created and migrated.
 *
 * @throws StoreUnfitError when the file can't be used
 * @example
 * const carnet = await createProvider(config, { adapter: await openAdapter({ database }) });
 */
export const openAdapter = (store: SqliteStore): Promise<StorageAdapter> => openSqliteAdapter(store);
