import { accessSync, constants, statSync } from 'node:fs';
import { StoreUnfitError } from '@carnet/adapter-contract';

export interface FileWatch {
  /**
   * Throws StoreUnfitError once the database file, its log or its shared memory was removed or replaced: SQLite
   * continues to
   * use a removed file, and processes that start later use another one. They would not see the commits in the removed
   * log,
   * such as which codes were redeemed.
   */
  assertSame(): void;
  /** The same, and where it may not be written. */
  assertWritable(): void;
  /** The same, and checks the log and the shared memory now. */
  assertHealthy(): void;
}

/**
 * The shortest time between two checks of the log and the shared memory: a check costs a tenth of a read. Milliseconds.
 */
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

/** Remembers the inodes of the three files. All of them exist, because the connection has read the database. */
export const watchFile = (path: string): FileWatch => {
  const watch = (path: string) => {
    const inode = inodeOf(path);
    return () => {
      if (inode === undefined || inodeOf(path) !== inode) throw new StoreUnfitError(problemOf(path));
    };
  };
  const assertFile = watch(path);
  const assertCompanions = companions.map((suffix) => watch(`${path}${suffix}`));
  let lookedAt = Number.NEGATIVE_INFINITY;

  const assertSame = () => {
    assertFile();
    if (performance.now() - lookedAt < intervalMs) return;
    for (const assertCompanion of assertCompanions) assertCompanion();
    lookedAt = performance.now();
  };
  const assertWritable = () => {
    assertSame();
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch (cause) {
      throw new StoreUnfitError(`${path} can't be written any more: give Carnet write permission.`, { cause });
    }
  };
  return {
    assertSame,
    assertWritable,
    assertHealthy() {
      lookedAt = Number.NEGATIVE_INFINITY;
      assertWritable();
    },
  };
};
