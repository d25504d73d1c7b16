import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
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

/** `full`: a commit survives a power failure. `normal`: a power failure may lose the last commits, and no commit waits for the disk. */
type Synchronous = 'full' | 'normal';

const busy = 5;

/** Creates a file that only its owner can read and write. SQLite gives the -wal and -shm files the same mode. */
const createFile = (path: string): void => {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  }
};

const open = ({ path }: SqliteAddress): DatabaseSync => {
  createFile(path);
  // node:sqlite is synchronous. SQLite's own wait for locks would stop the event loop: `whenUnlocked` waits instead.
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

const mostStatements = 100;

interface Prepared {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
}

/** Prepares each statement once. */
const createPrepare = (database: DatabaseSync): ((text: string) => Prepared) => {
  const known = new Map<string, Prepared>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const statement = database.prepare(text);
    const prepared: Prepared = { statement, hasRows: statement.columns().length > 0 };
    if (known.size >= mostStatements) known.clear();
    known.set(text, prepared);
    return prepared;
  };
};

type Prepare = ReturnType<typeof createPrepare>;

const execute = <R>(prepare: Prepare, { sql, parameters }: CompiledQuery): QueryResult<R> => {
  const { statement, hasRows } = prepare(sql);
  const values = parameters as SQLInputValue[];
  if (hasRows) return { rows: statement.all(...values) as R[] };
  return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
};

const createDriver = (address: SqliteAddress, synchronous: Synchronous): Driver => {
  let database: DatabaseSync | undefined;
  let prepare: Prepare | undefined;
  const opened = (): Prepare => {
    database ??= open(address);
    prepare ??= createPrepare(database);
    return prepare;
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
      await runText(`pragma synchronous = ${synchronous}`);
    },
    acquireConnection: async () => connection,
    // The lock is taken before the first read, so that no other process changes these rows before the commit.
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

/** node:sqlite for Kysely: one connection, which Kysely gives to one caller at a time. */
export const sqliteDialect = (address: SqliteAddress, synchronous: Synchronous): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => createDriver(address, synchronous),
  createIntrospector: (database) => new SqliteIntrospector(database),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});
