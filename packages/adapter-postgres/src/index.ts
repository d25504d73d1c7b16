import type { Migrator, StorageAdapter } from '@carnet/adapter-contract';
import { openPostgresAdapter, type PostgresStore } from './postgres-adapter.ts';

export { openPostgresAdapter, type PostgresAdapterOptions, type PostgresStore } from './postgres-adapter.ts';

/**
 * Opens the store at a URL `postgres://user:password@host:5432/database`, whose parameters the README lists, or in the
 * database of a `pg.Pool` that the app has already and closes itself.
 *
 * @throws StoreUnfitError when the URL can't be used
 * @example
 * const carnet = await createProvider(config, { adapter: await openAdapter({ pool }) });
 */
export const openAdapter = async (store: PostgresStore): Promise<StorageAdapter> => openPostgresAdapter(store);

/**
 * Opens the migrations of the store at a URL, or in the database of a pool of the app.
 *
 * @throws StoreUnfitError when the URL can't be used
 */
export const openMigrator = async (store: PostgresStore): Promise<Migrator> =>
  // Imported on demand: only the migrations need Kysely.
  (await import('./migrator.ts')).openMigrator(store);
