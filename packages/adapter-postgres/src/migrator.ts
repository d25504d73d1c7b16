import { setTimeout as pause } from 'node:timers/promises';
import type { Migration, Migrator } from '@carnet/adapter-contract';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { parseAddress } from './address.ts';
import { explain, sqlStateOf } from './faults.ts';
import { migrations } from './migrations/migrations.ts';
import type { PostgresStore } from './postgres-adapter.ts';
import type { Schema } from './schema.ts';

type Database = Kysely<Schema>;

const lockName = 'migrations';

/** The tables of the applied steps, and of the row that locks a migration. */
const createBookkeeping = async (database: Database): Promise<void> => {
  await database.schema
    .createTable('carnet_migration')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', sql`timestamptz(3)`, (column) => column.notNull())
    .execute();
  await database.schema
    .createTable('carnet_migration_lock')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .execute();
  await database
    .insertInto('carnet_migration_lock')
    .values({ name: lockName })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
};

/** The errors of Postgres if several sessions create the same table at once, even with `if not exists`. */
const races: ReadonlySet<string> = new Set(['23505', '42P07', '42710', '40001', 'XX000']);

const createBookkeepingAmongOthers = async (database: Database): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      await createBookkeeping(database);
      return;
    } catch (error) {
      if (attempt === 20 || !races.has(sqlStateOf(error) ?? '')) throw error;
      await pause(Math.random() * 50);
    }
  }
};

/** Resolves when no other process migrates. The row is locked until the end of the transaction, or of this process. */
const takeLock = async (transaction: Database): Promise<void> => {
  await transaction
    .selectFrom('carnet_migration_lock')
    .select('name')
    .where('name', '=', lockName)
    .forUpdate()
    .execute();
};

const readApplied = (database: Database) =>
  database.selectFrom('carnet_migration').select(['name', 'applied_at']).orderBy('name').execute();

/** One after the other. Read committed, so that who has waited for the lock sees what was applied meanwhile. */
const inTurn = async <T>(database: Database, work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T> => {
  await createBookkeepingAmongOthers(database);
  return database
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      await takeLock(transaction);
      return work(transaction);
    });
};

const applyMissing = async (transaction: Database): Promise<readonly string[]> => {
  const applied = new Set((await readApplied(transaction)).map(({ name }) => name));
  const missing = Object.entries(migrations).filter(([name]) => !applied.has(name));
  for (const [name, step] of missing) {
    await step.up(transaction);
    await transaction.insertInto('carnet_migration').values({ name, applied_at: new Date() }).execute();
  }
  return missing.map(([name]) => name);
};

const takeBackLast = async (transaction: Database): Promise<string | undefined> => {
  const name = (await readApplied(transaction)).at(-1)?.name;
  if (name === undefined) return undefined;
  const step = migrations[name];
  if (step === undefined)
    throw new Error(
      `The last step, ${name}, belongs to a later release: undo it with \`carnet migrate down\` of that release.`,
    );
  await step.down(transaction);
  await transaction.deleteFrom('carnet_migration').where('name', '=', name).execute();
  return name;
};

/** Those that this release knows, and those that a later one has applied. */
const statusOf = async (database: Database): Promise<readonly Migration[]> => {
  const applied = await readApplied(database).catch((error: unknown) => {
    if (sqlStateOf(error) === '42P01') return [];
    throw error;
  });
  const dates = new Map(applied.map(({ name, applied_at }) => [name, applied_at]));
  const names = new Set([...Object.keys(migrations), ...dates.keys()]);
  return [...names].sort().map((name) => ({ name, appliedAt: dates.get(name) ?? null }));
};

/** No deadline but for connecting: an index on a large table takes its time. */
const openDatabase = (store: PostgresStore): Database => {
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

/**
 * Opens the migrations of the store at a URL, or in the database of a pool of the app.
 *
 * @throws StoreUnfitError when the URL can't be used
 */
export const openMigrator = async (store: PostgresStore): Promise<Migrator> => {
  const database = openDatabase(store);
  const explained = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw explain(error);
    });
  return {
    status: () => explained(statusOf(database)),
    up: () => explained(inTurn(database, applyMissing)),
    down: () => explained(inTurn(database, takeBackLast)),
    close: () => database.destroy(),
  };
};
