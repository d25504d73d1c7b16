import type { Migrator } from '../src/migrator.ts';
import type { StorageAdapter } from '../src/port.ts';

/** Opens stores and their migrations, at a URL or in the pool of an app. */
interface SqlAdapter<Pool> {
  openAdapter(store: { readonly url: string }): Promise<StorageAdapter>;
  openMigrator(store: { readonly url: string } | { readonly pool: Pool }): Promise<Migrator>;
}

const using = async <R extends { close(): Promise<void> }, T>(
  opening: Promise<R>,
  use: (opened: R) => Promise<T>,
): Promise<T> => {
  const opened = await opening;
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
};

/** The stores of a SQL adapter, for tests. */
export const storesOf = <Pool>({ openAdapter, openMigrator }: SqlAdapter<Pool>) => {
  const withMigrator = <T>(store: Parameters<typeof openMigrator>[0], use: (migrator: Migrator) => Promise<T>) =>
    using(openMigrator(store), use);
  return {
    /** Opens the migrations of a store and closes them. */
    withMigrator,
    /** Opens a store and closes it. */
    withStore: <T>(url: string, use: (store: StorageAdapter) => Promise<T>) => using(openAdapter({ url }), use),
    /** The URL of a fresh database with the tables in place. */
    async createStore(server: { createDatabase(): Promise<string> }): Promise<string> {
      const url = await server.createDatabase();
      await withMigrator({ url }, (migrator) => migrator.up());
      return url;
    },
  };
};
