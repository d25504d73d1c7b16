import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreUnfitError } from '@carnet/adapter-contract';
import type { Address } from './address.ts';
import { isBusy } from './faults.ts';
import { whenUnlocked } from './lock.ts';

export const assertFolder = (path: string): void => {
  const folder = dirname(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new StoreUnfitError(`The folder of the SQLite file is missing: create ${folder}, or name another.`);
};

/**
 * A file that is new belongs to its owner alone; SQLite gives its -wal and -shm the same mode. One that exists is not
 * opened: closing it would drop the locks that other connections of this process hold on it (POSIX).
 */
const createFile = (path: string): void => {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw new StoreUnfitError(`${path} can't be created: Carnet needs to write in its folder.`, { cause });
  }
};

const configure = (database: DatabaseSync, { path, synchronous }: Address): void => {
  const { journal_mode } = database.prepare('pragma journal_mode = wal').get() ?? {};
  if (journal_mode !== 'wal') throw new StoreUnfitError(`${path} can't have a write-ahead log: use a local disk.`);
  database.exec(`
    pragma synchronous = ${synchronous};
    -- macOS: fsync alone does not survive a power loss. Elsewhere it is one.
    pragma fullfsync = ${synchronous === 'full' ? 1 : 0};
    -- After a burst the log shrinks again, to 16 MB.
    pragma journal_size_limit = 16777216;
  `);
};

/**
 * Throws a busy error when the log is missing although another connection has the file open or is opening it. The
 * exclusive lock detects such a connection.
 */
const assertLogOrAlone = (path: string): void => {
  if (existsSync(`${path}-wal`)) return;
  const probe = new DatabaseSync(path, { timeout: 0 });
  try {
    probe.exec('pragma locking_mode = exclusive; begin exclusive; rollback');
  } finally {
    probe.close();
  }
};

/**
 * A process that starts after the log was removed would create a new log, and not see the commits in the removed one.
 * The last of the other processes writes the removed log into the database when it closes the file.
 */
const awaitLog = async ({ path, busyTimeoutMs }: Address): Promise<void> => {
  try {
    await whenUnlocked(() => assertLogOrAlone(path), busyTimeoutMs);
  } catch (cause) {
    // The connection that is opened next meets any other error again, and explains it.
    if (!isBusy((cause as Error).cause)) return;
    throw new StoreUnfitError(
      `${path}-wal was removed while another process uses ${path}: stop all processes of Carnet, and then start them again.`,
      { cause },
    );
  }
};

/** The database file, created if need be, without regard to what is in it. */
export const openDatabase = async (address: Address): Promise<DatabaseSync> => {
  assertFolder(address.path);
  createFile(address.path);
  await awaitLog(address);
  const database = new DatabaseSync(address.path, { timeout: 0, enableForeignKeyConstraints: false });
  try {
    await whenUnlocked(() => configure(database, address), address.busyTimeoutMs);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/** All that `work` reads from one snapshot: no commit of another process comes between. */
export const inSnapshot = <T>(database: DatabaseSync, work: () => T): T => {
  database.exec('begin');
  try {
    return work();
  } finally {
    if (database.isTransaction) database.exec('rollback');
  }
};

/**
 * All of `work` or nothing, alone among all writers of the file: the lock is taken before the first read, so that what
 * was read still holds at the commit. Throws a busy error, having done nothing, while another process holds the lock.
 */
export const inTransaction = <T>(database: DatabaseSync, work: () => T): T => {
  database.exec('begin immediate');
  try {
    const result = work();
    database.exec('commit');
    return result;
  } finally {
    // SQLite has rolled back by itself after some errors, such as a full disk.
    if (database.isTransaction) database.exec('rollback');
  }
};
