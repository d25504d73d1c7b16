import { accessSync, constants, statSync } from 'node:fs';
import { StoreUnfitError } from '@carnet/adapter-contract';

/** The shortest time between two checks before a read or a sweep, each of which costs a tenth of a read. Milliseconds. */
const intervalMs = 100;

/** The log and the shared memory: they exist for as long as any connection to the file is open. */
const companions = ['-wal', '-shm'] as const;

const inodeOf = (path: string): string | undefined => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
};

const problemOf = (path: string): string =>
  companions.some((suffix) => path.endsWith(suffix))
    ? `${path} was removed or replaced while in use: stop all processes of Carnet, and then start them again.`
    : `${path} was removed or replaced while in use: restart Carnet.`;

/**
 * Remembers the inodes of the three files. All of them exist, because the connection has read the database. Calls
 * `saveLog` each time that it finds no log: the commits in the removed one exist only as long as a process has it open.
 */
export const watchFile = (path: string, saveLog: () => void) => {
  const watch = (path: string) => {
    const inode = inodeOf(path);
    return () => {
      const found = inodeOf(path);
      if (inode !== undefined && found === inode) return;
      if (found === undefined && path.endsWith('-wal')) saveLog();
      throw new StoreUnfitError(problemOf(path));
    };
  };
  const assertFile = watch(path);
  const assertCompanions = companions.map((suffix) => watch(`${path}${suffix}`));
  let lookedAt = Number.NEGATIVE_INFINITY;

  /**
   * Throws StoreUnfitError once the database file, its log or its shared memory was removed or replaced: SQLite
   * continues to use a removed file, and processes that start later use another one. They would not see the commits in
   * the removed log, such as which codes were redeemed.
   */
  const assertSame = () => {
    assertFile();
    if (performance.now() - lookedAt < intervalMs) return;
    lookedAt = Number.NEGATIVE_INFINITY;
    for (const assertCompanion of assertCompanions) assertCompanion();
    lookedAt = performance.now();
  };
  return {
    assertSame,
    /** The same, and where it may not be written. */
    assertWritable() {
      assertSame();
      try {
        accessSync(path, constants.R_OK | constants.W_OK);
      } catch (cause) {
        throw new StoreUnfitError(`${path} can't be written any more: give Carnet write permission.`, { cause });
      }
    },
    /** The same as `assertSame`, and checks the log and the shared memory now: before a commit is acknowledged. */
    assertStored() {
      lookedAt = Number.NEGATIVE_INFINITY;
      assertSame();
    },
  };
};
