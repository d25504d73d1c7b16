import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FoundRecord, ListQuery, Page, RecordKey, StorageAdapter, Swept } from '@carnet/adapter-contract';
import { createCalls } from './calls.ts';
import { bindCommit } from './commit.ts';
import { createCommitQueue } from './commit-queue.ts';
import { inSnapshot, openDatabase } from './database.ts';
import { watchFile } from './file-watch.ts';
import { type Location, parseLocation } from './location.ts';
import { whenUnlocked } from './lock.ts';
import { keyOf, toFound } from './row.ts';
import { runBatch } from './run-batch.ts';
import { assertCurrent, migrateUp } from './schema.ts';
import { prepareStatements, type Statements } from './statements.ts';

export interface SqliteAdapterOptions {
  /** `sqlite:carnet.db`, with `?synchronous=full|normal&busyTimeoutMs=5000` (defaults: full, 5000). */
  readonly url: string;
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

const readKeys = (database: DatabaseSync, { read }: Statements, keys: readonly RecordKey[], now: number) => {
  const readOne = (key: RecordKey): FoundRecord | undefined => {
    const row = read.first(...keyOf(key), now);
    return row && toFound(row);
  };
  return keys.length === 1 ? keys.map(readOne) : inSnapshot(database, () => keys.map(readOne));
};

const listPage = (statements: Statements, { kind, subject, limit, after = '' }: ListQuery, now: number): Page => {
  // One more than the page holds: there is a next one.
  const tail = [after, now, limit + 1] as const;
  const rows = {
    client: () => statements.listClients.all(...tail),
    grant: () => statements.listGrants.all(subject ?? '', ...tail),
    session: () => statements.listSessions.all(subject ?? '', ...tail),
    consent: () => statements.listConsents.all(subject ?? '', ...tail),
  }[kind]();
  const records = rows.slice(0, limit).map(toFound);
  return rows.length > limit ? { records, next: records.at(-1)?.id } : { records };
};

/** Records a transaction of a sweep removes: a few milliseconds, then commits have their turn. */
const sweepSize = 250;

const sweepExpired = async (
  { sweep, countExpired }: Statements,
  { busyTimeoutMs }: Location,
  limit: number,
  now: number,
): Promise<Swept> => {
  let removed = 0;
  for (let isDone = false; !isDone; ) {
    const size = Math.min(limit - removed, sweepSize);
    const count = await whenUnlocked(() => sweep.run(now, size), busyTimeoutMs);
    removed += count;
    isDone = count < size || removed === limit;
    if (!isDone) await nextTurn();
  }
  return { removed, left: await whenUnlocked(() => countExpired.count(now), busyTimeoutMs) };
};

/** The file, opened and brought up to date: an embedded store has nobody else to do it. */
const openStore = async (location: Location) => {
  const database = await openDatabase(location);
  try {
    await whenUnlocked(() => migrateUp(database), location.busyTimeoutMs);
    return { database, statements: prepareStatements(database), checkFile: watchFile(location.path) };
  } catch (error) {
    database.close();
    throw error;
  }
};

/** The storage port in a SQLite file that the processes of one machine may share. Calls after `close` reject. */
export const openSqliteAdapter = async ({ url, now = Date.now }: SqliteAdapterOptions): Promise<StorageAdapter> => {
  const location = parseLocation(url);
  const { busyTimeoutMs } = location;
  const calls = createCalls(location.path);
  const { database, statements, checkFile } = await calls.run(() => openStore(location));
  const store = { database, statements, now };
  const queue = createCommitQueue({
    run(batch) {
      // What went into a file that was removed would be acknowledged, and lost at the end of the process.
      checkFile();
      return runBatch(store, batch);
    },
    busyTimeoutMs,
  });
  const run = <T>(work: () => T): Promise<T> => calls.run(() => whenUnlocked(work, busyTimeoutMs));

  return {
    capabilities: { atomicCommit: 'all', shared: true, durable: true, neverRevives: true },
    read: (keys) => run(() => readKeys(database, statements, keys, now())),
    commit: (writes) => calls.run(async () => (writes.length === 0 ? undefined : queue.add(bindCommit(writes)))),
    list: (query) => run(() => listPage(statements, query, now())),
    sweep: (limit) => calls.run(() => sweepExpired(statements, location, limit, now())),
    ping: () =>
      run(() => {
        checkFile();
        assertCurrent(database);
      }),
    // The last connection to close a file writes its log back into it.
    async close() {
      await calls.close();
      if (database.isOpen) database.close();
    },
  };
};
