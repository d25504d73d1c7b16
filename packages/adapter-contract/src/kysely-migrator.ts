import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely, RawBuilder } from 'kysely';
import type { Migration, Migrator } from './migrator.ts';

export interface KyselyMigrations<Schema> {
  readonly database: Kysely<Schema>;
  /** The table of the applied steps. The name of the table with the lock is this one and `_lock`. */
  readonly table: string;
  /** The column with the time of each step: its type, and the present time as the column stores it. */
  readonly appliedAt: { readonly type: RawBuilder<unknown>; now(): Date | number };
  /** Every step by its name. The steps are applied in the order of their names. */
  readonly steps: Readonly<Record<string, KyselyStep<Schema>>>;
  /**
   * MySQL and MariaDB end a transaction at each statement that changes the schema, so that the steps run on another
   * connection than the lock. The database needs two connections. A step that was interrupted is applied again.
   */
  readonly isMysql?: boolean;
  /** The error that the caller gets for an error of the database. Default: the same. */
  explain?(error: unknown): unknown;
}

/** One step of the schema. A released step never changes: databases have applied it. */
export interface KyselyStep<Schema> {
  up(database: Kysely<Schema>): Promise<void>;
  down(database: Kysely<Schema>): Promise<void>;
}

type Tables = Kysely<Record<string, { readonly name: string; readonly applied_at: unknown }>>;

const lockName = 'migrations';

/** The SQLSTATE of the server's error, MySQL's name of it, or that of its cause; undefined if the server did not answer. */
const codeOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  return /^([0-9A-Z]{5}|ER_\w+)$/.test(code) ? code : codeOf(error.cause);
};

const isMissingTable = (error: unknown): boolean =>
  ['42P01', 'ER_NO_SUCH_TABLE'].includes(codeOf(error) ?? '') ||
  (error instanceof Error && (/^no such table/.test(error.message) || isMissingTable(error.cause)));

/** The errors if several sessions create the same table at once, even with `if not exists`. */
const races: ReadonlySet<string> = new Set(['23505', '42P07', '42710', '40001', 'XX000', 'ER_LOCK_DEADLOCK']);

const amongOthers = async (work: () => Promise<void>): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 20 || !races.has(codeOf(error) ?? '')) throw error;
      await pause(Math.random() * 50);
    }
  }
};

const createBookkeeping = async <Schema>({
  database,
  table,
  appliedAt,
  isMysql = false,
}: KyselyMigrations<Schema>): Promise<void> => {
  // MySQL has no primary key of the type text.
  const nameType = isMysql ? 'varchar(255)' : 'text';
  await database.schema
    .createTable(table)
    .ifNotExists()
    .addColumn('name', nameType, (column) => column.primaryKey())
    .addColumn('applied_at', appliedAt.type, (column) => column.notNull())
    .execute();
  await database.schema
    .createTable(`${table}_lock`)
    .ifNotExists()
    .addColumn('name', nameType, (column) => column.primaryKey())
    .execute();
  const row = { name: lockName };
  const insert = (database as unknown as Tables).insertInto(`${table}_lock`).values(row as never);
  const insertOnce = isMysql
    ? insert.onDuplicateKeyUpdate(row)
    : insert.onConflict((conflict) => conflict.column('name').doNothing());
  await insertOnce.execute();
};

/**
 * One process at a time: the update locks the row until the end of the transaction, or of this process. Read committed, so
 * that a process that has waited for the lock sees the steps that were applied meanwhile.
 */
const inTurn = async <Schema, T>(
  migrations: KyselyMigrations<Schema>,
  work: (database: Kysely<Schema>) => Promise<T>,
): Promise<T> => {
  const { database, table, isMysql = false } = migrations;
  await amongOthers(() => createBookkeeping(migrations));
  return database
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (transaction) => {
      const tables = transaction as unknown as Tables;
      await tables.updateTable(`${table}_lock`).set({ name: lockName }).where('name', '=', lockName).execute();
      return work(isMysql ? database : transaction);
    });
};

const readApplied = <Schema>(database: Kysely<Schema>, table: string) =>
  (database as unknown as Tables).selectFrom(table).select(['name', 'applied_at']).orderBy('name').execute();

const applyMissing = async <Schema>(
  { table, appliedAt, steps }: KyselyMigrations<Schema>,
  database: Kysely<Schema>,
): Promise<readonly string[]> => {
  const applied = new Set((await readApplied(database, table)).map(({ name }) => name));
  const missing = Object.entries(steps).filter(([name]) => !applied.has(name));
  for (const [name, step] of missing) {
    await step.up(database);
    const row = { name, applied_at: appliedAt.now() };
    await (database as unknown as Tables).insertInto(table).values(row).execute();
  }
  return missing.map(([name]) => name);
};

const revertLast = async <Schema>(
  { table, steps }: KyselyMigrations<Schema>,
  database: Kysely<Schema>,
): Promise<string | undefined> => {
  const name = (await readApplied(database, table)).at(-1)?.name;
  if (name === undefined) return undefined;
  const step = steps[name];
  if (step === undefined)
    throw new Error(
      `The last step, ${name}, belongs to a later release: undo it with \`carnet migrate down\` of that release.`,
    );
  await step.down(database);
  await (database as unknown as Tables).deleteFrom(table).where('name', '=', name).execute();
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

/** The migrations of a Postgres, MySQL or SQLite database that Kysely queries. `close` destroys the Kysely instance. */
export const createKyselyMigrator = <Schema>(migrations: KyselyMigrations<Schema>): Migrator => {
  const explained = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw migrations.explain?.(error) ?? error;
    });
  return {
    status: () => explained(statusOf(migrations)),
    up: () => explained(inTurn(migrations, (database) => applyMissing(migrations, database))),
    down: () => explained(inTurn(migrations, (database) => revertLast(migrations, database))),
    close: () => migrations.database.destroy(),
  };
};
