import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Address } from './address.ts';
import { sqliteCodeOf, toOutage } from './failure.ts';

type SqliteAddress = Extract<Address, { engine: 'sqlite' }>;

const busy = 5;

/** A new file belongs to its owner alone; SQLite gives its -wal and -shm the same mode. */
const createFile = (path: string): void => {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  }
};

const open = ({ path }: SqliteAddress): DatabaseSync => {
  createFile(path);
  // node:sqlite is synchronous. SQLite's own waiting for locks would stop the event loop, so that `whenUnlocked` waits.
  return new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: false });
};

/** Runs a statement again while another process has the lock. A busy statement has changed nothing. */
const whenUnlocked = async <T>(attempt: () => T, timeoutMs: number): Promise<T> => {
  const deadline = performance.now() + timeoutMs;
  for (let attempts = 0; ; attempts++) {
    try {
      return attempt();
    } catch (error) {
      if (sqliteCodeOf(error) !== busy || performance.now() >= deadline) throw toOutage(error);
    }
    await pause(Math.random() * Math.min(2 ** attempts, 50));
  }
};

const execute = <R>(database: DatabaseSync, { sql, parameters }: CompiledQuery): QueryResult<R> => {
  const statement = database.prepare(sql);
  const values = parameters as SQLInputValue[];
  if (statement.columns().length > 0) return { rows: statement.all(...values) as R[] };
  return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
};

const createDriver = (address: SqliteAddress): Driver => {
  let database: DatabaseSync | undefined;
  const opened = (): DatabaseSync => {
    database ??= open(address);
    return database;
  };
  const run = <R>(query: CompiledQuery) => whenUnlocked(() => execute<R>(opened(), query), address.timeoutMs);
  const runText = async (text: string): Promise<void> => void (await run(CompiledQuery.raw(text)));
  const connection: DatabaseConnection = {
    executeQuery: run,
    streamQuery: () => {
      throw new Error('The SQLite dialect does not stream.');
    },
  };
  return {
    async init() {
      await runText('pragma journal_mode = wal');
      // A used code or link must stay used after a power loss.
      await runText('pragma synchronous = full');
    },
    acquireConnection: async () => connection,
    // The lock is taken before the first read, so that what was read still holds at the commit.
    beginTransaction: () => runText('begin immediate'),
    commitTransaction: () => runText('commit'),
    async rollbackTransaction() {
      // SQLite has rolled back by itself after some errors, such as a full disk.
      if (database?.isTransaction) await runText('rollback');
    },
    releaseConnection: async () => {},
    destroy: async () => database?.close(),
  };
};

/** node:sqlite for Kysely: one connection per process, which Kysely gives to one caller at a time. */
export const sqliteDialect = (address: SqliteAddress): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => createDriver(address),
  createIntrospector: (database) => new SqliteIntrospector(database),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});
