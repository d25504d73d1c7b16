import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { Migration, Migrator } from './migrator.ts';

export interface KyselyMigrations<Schema> {
  readonly database: Kysely<Schema>;
  /** The table of the applied steps. The name of the table with the lock is this one and `_lock`. */
  readonly table: string;
  /** The column with the time of each step: its type, and the present time as the column stores it. */
  readonly appliedAt: { readonly type: RawBuilder<unknown>; now(): Date | number };
  /** Every step by its name. The steps are applied in the order of their names. */
  readonly steps: Readonly<Record<string, KyselyStep<Schema>>>;
}

/** One step of the schema. A released step never changes: databases have applied it. */
export interface KyselyStep<Schema> {
  up(database: Kysely<Schema>): Promise<void>;
  down(database: Kysely<Schema>): Promise<void>;
}

type Tables = Kysely<Record<string, { readonly name: string; readonly applied_at: unknown }>>;

const lockName = 'migrations';

/** The SQLSTATE of the server's error, or of its cause; undefined if the server did not answer. */
const sqlStateOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code)) ? String(error.code) : sqlStateOf(error.cause);
};

const isMissingTable = (error: unknown): boolean =>
  sqlStateOf(error) === '42P01' ||
  (error instanceof Error && (/^no such table/.test(error.message) || isMissingTable(error.cause)));

/** The errors of Postgres if several sessions create the same table at once, even with `if not exists`. */
const races: ReadonlySet<string> = new Set(['23505', '42P07', '42710', '40001', 'XX000']);

const amongOthers = async (work: () => Promise<void>): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 20 || !races.has(sqlStateOf(error) ?? '')) throw error;
      await pause(Math.random() * 50);
    }
  }
};

const createBookkeeping = async <Schema>({ database, table, appliedAt }: KyselyMigrations<Schema>): Promise<void> => {
  await database.schema
    .createTable(table)
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', appliedAt.type, (column) => column.notNull())
    .execute();
  await database.schema
    .createTable(`${table}_lock`)
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .execute();
  await (database as unknown as Tables)
    .insertInto(`${table}_lock`)
    .values({ name: lockName } as never)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
};

/**
 * One process at a time: the update locks the row until the end of the transaction, or of this process. Read committed, so
 * that a process that has waited for the lock sees the steps that were applied meanwhile.
 */
const inTurn = async <Schema, T>(
  migrations: KyselyMigrations<Schema>,
  work: (transaction: Transaction<Schema>) => Promise<T>,
): Promise<T> => {
  const { database, table } = migrations;
  await amongOthers(() => createBookkeeping(migrations));
  return database
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      const tables = transaction as unknown as Tables;
      await tables.updateTable(`${table}_lock`).set({ name: lockName }).where('name', '=', lockName).execute();
      return work(transaction);
    });
};

const readApplied = <Schema>(database: Kysely<Schema>, table: string) =>
  (database as unknown as Tables).selectFrom(table).select(['name', 'applied_at']).orderBy('name').execute();

const applyMissing = async <Schema>(
  { table, appliedAt, steps }: KyselyMigrations<Schema>,
  transaction: Transaction<Schema>,
): Promise<readonly string[]> => {
  const applied = new Set((await readApplied(transaction, table)).map(({ name }) => name));
  const missing = Object.entries(steps).filter(([name]) => !applied.has(name));
  for (const [name, step] of missing) {
    await step.up(transaction);
    const row = { name, applied_at: appliedAt.now() };
    await (transaction as unknown as Tables).insertInto(table).values(row).execute();
  }
  return missing.map(([name]) => name);
};

const revertLast = async <Schema>(
  { table, steps }: KyselyMigrations<Schema>,
  transaction: Transaction<Schema>,
): Promise<string | undefined> => {
  const name = (await readApplied(transaction, table)).at(-1)?.name;
  if (name === undefined) return undefined;
  const step = steps[name];
  if (step === undefined)
    throw new Error(
      `The last step, ${name}, belongs to a later release: undo it with \`carnet migrate down\` of that release.`,
    );
  await step.down(transaction);
  await (transaction as unknown as Tables).deleteFrom(table).where('name', '=', name).execute();
  return name;
};

/** The steps of this release, and those that a later one has applied. */
const statusOf = async <Schema>({
  database,
  table,
  steps,
}: KyselyMigrations<Schema>): Promise<readonly Migration[]> => {
  const applied = await readApplied(database, table).catch((error: unknown) => {
    if (isMissingTable(error)) return [];
    throw error;
  });
  const times = new Map(applied.map(({ name, applied_at }) => [name, new Date(applied_at as Date | number)]));
  const names = new Set([...Object.keys(steps), ...times.keys()]);
  return [...names].sort().map((name) => ({ name, appliedAt: times.get(name) ?? null }));
};

/** The migrations of a Postgres or SQLite database that Kysely queries. `close` destroys the Kysely instance. */
export const createKyselyMigrator = <Schema>(migrations: KyselyMigrations<Schema>): Migrator => ({
  status: () => statusOf(migrations),
  up: () => inTurn(migrations, (transaction) => applyMissing(migrations, transaction)),
  down: () => inTurn(migrations, (transaction) => revertLast(migrations, transaction)),
  close: () => migrations.database.destroy(),
});
