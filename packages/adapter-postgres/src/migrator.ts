import type { Migrator } from '@carnet/adapter-contract';
import { createKyselyMigrator } from '@carnet/adapter-contract/kysely';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { parseAddress } from './address.ts';
import { explain } from './faults.ts';
import { migrations } from './migrations/migrations.ts';
import type { PostgresStore } from './postgres-adapter.ts';
import type { Schema } from './schema.ts';

/** No deadline but for connecting: an index on a large table takes its time. */
const openDatabase = (store: PostgresStore): Kysely<Schema> => {
  if ('pool' in store) {
    // The app closes its pool.
    const pool = { options: store.pool.options, connect: () => store.pool.connect(), end: async () => {} };
    return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  }
  const { connectionString, ownOptions, timeoutMs } = parseAddress(store.url);
  const pool = new pg.Pool({
    connectionString,
    options: ownOptions,
    max: 1,
    connectionTimeoutMillis: timeoutMs,
    fallback_application_name: 'carnet-migrate',
    keepAlive: true,
  });
  const ignore = () => {};
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
};

/** @throws StoreUnfitError when the URL can't be used */
export const openMigrator = async (store: PostgresStore): Promise<Migrator> =>
  createKyselyMigrator<Schema>({
    database: openDatabase(store),
    table: 'carnet_migration',
    appliedAt: { type: sql`timestamptz(3)`, now: () => new Date() },
    steps: migrations,
    explain,
  });
