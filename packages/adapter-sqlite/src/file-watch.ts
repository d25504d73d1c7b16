import { accessSync, constants, statSync } from 'node:fs';
import { StoreUnfitError } from '@carnet/adapter-contract';

export interface FileWatch {
  /**
   * Throws StoreUnfitError once the file is gone or is another: SQLite goes on writing to one that was removed, and all of
   * that is lost at the end of the process; and goes on reading what was taken back in the other.
   */
  assertSame(): void;
  /** The same, and where it may not be written. */
  assertWritable(): void;
}

/** Remember which file it is. */
export const watchFile = (path: string): FileWatch => {
  const { dev, ino } = statSync(path, { bigint: true });
  const assertSame = () => {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found?.dev === dev && found.ino === ino) return;
    throw new StoreUnfitError(`${path} was removed or replaced while in use: restart Carnet.`);
  };
  return {
    assertSame,
    assertWritable() {
      assertSame();
      try {
        accessSync(path, constants.R_OK | constants.W_OK);
      } catch (cause) {
        throw new StoreUnfitError(`${path} can't be written any more: give Carnet the right to.`, { cause });
      }
    },
  };
};
