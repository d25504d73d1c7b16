import type { Migrator, StorageAdapter } from '@carnet/adapter-contract';
import { type MysqlStore, openMysqlAdapter } from './mysql-adapter.ts';

export { type MysqlAdapterOptions, type MysqlStore, openMysqlAdapter } from './mysql-adapter.ts';

/**
 * Opens the store at a URL `mysql://user:password@host:3306/database`, whose parameters the README lists, or in the
 * database of a pool of `mysql2/promise` that the app has already and closes itself.
 *
 * @throws StoreUnfitError when the URL can't be used
 * @example
 * const carnet = await createProvider(config, { adapter: await openAdapter({ pool }) });
 */
export const openAdapter = async (store: MysqlStore): Promise<StorageAdapter> => openMysqlAdapter(store);

/**
 * Opens the migrations of the store at a URL, or in the database of a pool of the app.
 *
 * @throws StoreUnfitError when the URL can't be used
 */
export const openMigrator = async (store: MysqlStore): Promise<Migrator> =>
  // Imported on demand: only the migrations need Kysely.
  (await import('./migrator.ts')).openMigrator(store);
