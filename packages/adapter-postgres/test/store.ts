import { setTimeout as pause } from 'node:timers/promises';
import type { Migrator, StorageAdapter } from '@carnet/adapter-contract';
import { openMigrator, openPostgresAdapter } from '@carnet/adapter-postgres';
import type { TestPostgres } from '@carnet/test-servers';
import pg from 'pg';

export { claim, consume, freshId, freshRecord, put, revoke } from '../../adapter-contract/src/laws/records.ts';
export { loginWrites } from '../../adapter-contract/test/login-writes.ts';

/** Opens the migrations of a store and closes them. */
export const withMigrator = async <T>(
  store: Parameters<typeof openMigrator>[0],
  use: (migrator: Migrator) => Promise<T>,
): Promise<T> => {
  const migrator = await openMigrator(store);
  try {
    return await use(migrator);
  } finally {
    await migrator.close();
  }
};

/** The URL of a fresh database with the tables in place. */
export const createStore = async (server: TestPostgres): Promise<string> => {
  const url = await server.createDatabase();
  await withMigrator({ url }, (migrator) => migrator.up());
  return url;
};

/** Use a store and close it. */
export const withStore = async <T>(url: string, use: (store: StorageAdapter) => Promise<T>): Promise<T> => {
  const store = openPostgresAdapter({ url });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
};

/** Use a connection of our own, beside the adapter's. */
export const withClient = async <T>(url: string, use: (client: pg.Client) => Promise<T>, options?: string) => {
  const client = new pg.Client({ connectionString: url, options, application_name: 'test' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
};

/** Asks again until it holds. */
export const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await pause(10);
};

/** Until so many sessions of the adapter wait for a lock. It takes a connection of its own: a transaction sees no change. */
export const untilWaiting = (url: string, count = 1): Promise<void> =>
  withClient(url, (client) =>
    until(async () => {
      const { rows } = await client.query(
        `select from pg_stat_activity
         where datname = current_database() and application_name <> 'test' and wait_event_type = 'Lock'`,
      );
      return rows.length === count;
    }),
  );

/** The transaction of another program holds the record: whoever changes it waits. */
export const whileLocked = (url: string, id: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> =>
  withClient(url, async (client) => {
    await client.query('begin');
    await client.query('select from carnet_record where id = $1 for update', [id]);
    await use(client);
    await client.query('rollback');
  });

/** The sessions of the adapter that are not idle, and all of them. */
export const sessionsOf = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      `select state from pg_stat_activity where datname = current_database() and application_name <> 'test'`,
    );
    return { busy: rows.filter(({ state }) => state !== 'idle').length, all: rows.length };
  });

/** Ends the sessions of the adapter, as an administrator does. */
export const terminate = (url: string, which: 'all' | 'waiting') =>
  withClient(url, (client) =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
       and application_name <> 'test' ${which === 'waiting' ? "and wait_event_type = 'Lock'" : ''}`,
    ),
  );
