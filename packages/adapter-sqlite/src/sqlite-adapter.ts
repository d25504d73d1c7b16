import type { DatabaseSync } from 'node:sqlite';
import type { StorageAdapter } from '@carnet/adapter-contract';
import { type Address, addressOfDatabase, parseAddress } from './address.ts';
import { createCalls } from './calls.ts';
import { bindCommit } from './commit.ts';
import { createCommitQueue } from './commit-queue.ts';
import { openDatabase } from './database.ts';
import { watchFile } from './file-watch.ts';
import { listPage, scanPage } from './list.ts';
import { whenUnlocked } from './lock.ts';
import { assertCurrent, migrateUp } from './migrate.ts';
import { readRecords } from './read.ts';
import { runBatch } from './run-batch.ts';
import { prepareStatements } from './statements.ts';
import { sweepExpired } from './sweep.ts';

/**
 * Where the store is: `sqlite:carnet.db`, with `?synchronous=full|normal&busyTimeoutMs=5000` (defaults: full, 5000), or the
 * file of a database that an app has open.
 */
export type SqliteStore = { readonly url: string } | { readonly database: Pick<DatabaseSync, 'location'> };

export type SqliteAdapterOptions = SqliteStore & {
  /** The clock that expiry is held against, in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
};

/** Opens the file and migrates it: an embedded store has no separate operator. */
const openStore = async (address: Address) => {
  const database = await openDatabase(address);
  try {
    await whenUnlocked(() => migrateUp(database), address.busyTimeoutMs);
    // SQLite still has the removed log open, and copies its commits into the database.
    const saveLog = () => database.exec('pragma wal_checkpoint(passive)');
    return { database, statements: prepareStatements(database), file: watchFile(address.path, saveLog) };
  } catch (error) {
    database.close();
    throw error;
  }
};

/** The storage port in a SQLite file that the processes of one machine may share. Calls after `close` reject. */
export const openSqliteAdapter = async ({
  now = Date.now,
  ...store
}: SqliteAdapterOptions): Promise<StorageAdapter> => {
  const address = 'database' in store ? addressOfDatabase(store.database) : parseAddress(store.url);
  const { busyTimeoutMs } = address;
  const calls = createCalls(address.path);
  const { database, statements, file } = await calls.run(() => openStore(address));
  const opened = { database, statements, now };
  const queue = createCommitQueue({
    run(batch) {
      file.assertWritable();
      const outcomes = runBatch(opened, batch);
      file.assertStored();
      return outcomes;
    },
    busyTimeoutMs,
  });
  const run = <T>(work: () => T): Promise<T> =>
    calls.run(() => {
      file.assertSame();
      return whenUnlocked(work, busyTimeoutMs);
    });

  return {
    capabilities: { atomicCommit: 'all', shared: true, durable: true, neverRevives: true },
    read: (keys) => run(() => readRecords(opened, keys, now())),
    commit: (writes) => calls.run(async () => (writes.length === 0 ? undefined : queue.add(bindCommit(writes)))),
    list: (query) => run(() => listPage(statements, query, now())),
    scan: (query) => run(() => scanPage(statements, query, now())),
    sweep: (limit) =>
      calls.run(() => {
        file.assertSame();
        return sweepExpired({ statements, busyTimeoutMs }, limit, now());
      }),
    ping: () =>
      run(() => {
        file.assertStored();
        file.assertWritable();
        assertCurrent(database);
      }),
    // The last connection to close a file writes its log back into it.
    async close() {
      await calls.close();
      if (database.isOpen) database.close();
    },
  };
};
