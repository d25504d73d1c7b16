import { type Migrator, StoreUnfitError } from '@carnet/adapter-contract';
import { createKyselyMigrator } from '@carnet/adapter-contract/kysely';
import { Kysely, MysqlDialect, type MysqlPool, sql } from 'kysely';
import { createPool, type Pool } from 'mysql2';
import { parseAddress } from './address.ts';
import { explain } from './faults.ts';
import { migrations } from './migrations/migrations.ts';
import type { MysqlStore } from './mysql-adapter.ts';
import type { Schema } from './schema.ts';

/** One holds the lock of the migrations, and the other applies the steps. */
const connectionCount = 2;

/** A process that waits for the steps of another one waits as long as an index on a large table takes. */
const lockWaitSeconds = 86_400;

const openPool = (url: string): Pool => {
  const { server, timeoutMs } = parseAddress(url);
  const pool = createPool({
    ...server,
    connectionLimit: connectionCount,
    connectTimeout: timeoutMs,
    flags: ['-LOCAL_FILES'],
    enableKeepAlive: true,
    connectAttributes: { program_name: 'carnet-migrate' },
  });
  pool.on('connection', (connection) => {
    connection.query(`set session innodb_lock_wait_timeout = ${lockWaitSeconds}`, () => {});
  });
  return pool;
};

const poolOf = (store: MysqlStore): MysqlPool => {
  if ('url' in store) return openPool(store.url);
  const { pool } = store.pool;
  if (pool.config.connectionLimit === 1)
    throw new StoreUnfitError('The pool has one connection. The migrations need two: raise its connectionLimit.');
  // The app closes its pool.
  return { getConnection: (callback) => pool.getConnection(callback), end: (callback) => callback(undefined) };
};

/** @throws StoreUnfitError when the URL or the pool can't be used */
export const openMigrator = async (store: MysqlStore): Promise<Migrator> =>
  createKyselyMigrator<Schema>({
    database: new Kysely<Schema>({ dialect: new MysqlDialect({ pool: poolOf(store) }) }),
    table: 'carnet_migration',
    appliedAt: { type: sql`bigint`, now: () => Date.now() },
    steps: migrations,
    isMysql: true,
    explain,
  });
