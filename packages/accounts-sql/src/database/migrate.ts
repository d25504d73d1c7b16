import { setTimeout as pause } from 'node:timers/promises';
import type { AppliedStep } from '@carnet/accounts/store';
import { type Kysely, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Address } from './address.ts';
import { migrations } from './migrations/migrations.ts';
import type { Schema } from './schema.ts';

type Database = Kysely<Schema>;
type Engine = Address['engine'];

const lockName = 'migrations';

const createBookkeeping = async (database: Database): Promise<void> => {
  await database.schema
    .createTable('carnet_accounts_migration')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema
    .createTable('carnet_accounts_migration_lock')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .execute();
  await database
    .insertInto('carnet_accounts_migration_lock')
    .values({ name: lockName })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
};

const sqlStateOf = (error: unknown): string | undefined => {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof pg.DatabaseError ? cause.code : undefined;
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

/** One process at a time: the update locks the row until the end of the transaction. */
const inTurn = async <T>(database: Database, work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T> => {
  await createBookkeepingAmongOthers(database);
  return database.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('carnet_accounts_migration_lock')
      .set({ name: lockName })
      .where('name', '=', lockName)
      .execute();
    return work(transaction);
  });
};

const readApplied = (database: Database) =>
  database.selectFrom('carnet_accounts_migration').select(['name', 'applied_at']).orderBy('name').execute();

const typesOf = (engine: Engine) => ({ text: engine === 'postgres' ? sql`text collate "C"` : sql`text` });

/** Applies the missing steps. Returns their names. Any number of processes may call it at once. */
export const migrateUp = (database: Database, engine: Engine): Promise<readonly string[]> =>
  inTurn(database, async (transaction) => {
    const applied = new Set((await readApplied(transaction)).map(({ name }) => name));
    const missing = Object.entries(migrations).filter(([name]) => !applied.has(name));
    for (const [name, step] of missing) {
      await step.up(transaction, typesOf(engine));
      await transaction.insertInto('carnet_accounts_migration').values({ name, applied_at: Date.now() }).execute();
    }
    return missing.map(([name]) => name);
  });

/** Reverts the last step, with the data in its tables. Returns its name. */
export const migrateDown = (database: Database): Promise<string | undefined> =>
  inTurn(database, async (transaction) => {
    const name = (await readApplied(transaction)).at(-1)?.name;
    if (name === undefined) return undefined;
    const step = migrations[name];
    if (step === undefined)
      throw new Error(
        `The last step, ${name}, belongs to a later release: undo it with \`carnet migrate down\` of that release.`,
      );
    await step.down(transaction);
    await transaction.deleteFrom('carnet_accounts_migration').where('name', '=', name).execute();
    return name;
  });

const isMissingTable = (error: unknown): boolean =>
  sqlStateOf(error) === '42P01' ||
  (error instanceof Error && error.cause instanceof Error && /^no such table/.test(error.cause.message));

/** The steps of this release, and those that a later one has applied. */
export const readSteps = async (database: Database): Promise<readonly AppliedStep[]> => {
  const applied = await readApplied(database).catch((error: unknown) => {
    if (isMissingTable(error)) return [];
    throw error;
  });
  const times = new Map(applied.map(({ name, applied_at }) => [name, applied_at]));
  const names = new Set([...Object.keys(migrations), ...times.keys()]);
  return [...names].sort().map((name) => {
    const time = times.get(name);
    return { name, appliedAt: time === undefined ? null : new Date(time) };
  });
};
