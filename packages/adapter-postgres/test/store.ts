import { setTimeout as pause } from 'node:timers/promises';
import { openAdapter, openMigrator } from '@carnet/adapter-postgres';
import pg from 'pg';
import { storesOf } from '../../adapter-contract/test/sql-stores.ts';

export { claim, consume, freshId, freshRecord, put, revoke } from '../../adapter-contract/src/laws/records.ts';
export { loginWrites } from '../../adapter-contract/test/login-writes.ts';

export const { createStore, withMigrator, withStore } = storesOf({ openAdapter, openMigrator });

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

/** The rows that a query returns. */
export const query = (url: string, sql: string) => withClient(url, async (client) => (await client.query(sql)).rows);

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

/** The transaction of another program holds the record, so that changes of it wait. */
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
