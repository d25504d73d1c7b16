import { accessSync, constants, statSync } from 'node:fs';
import { StoreUnfitError } from '@carnet/adapter-contract';

/**
 * Remember which file it is. The check throws StoreUnfitError once it is gone, is another, or may not be written: SQLite
 * goes on writing to a file that was removed, and all of that is lost at the end of the process.
 */
export const watchFile = (path: string): (() => void) => {
  const { dev, ino } = statSync(path, { bigint: true });
  return () => {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found?.dev !== dev || found.ino !== ino) {
      throw new StoreUnfitError(`${path} was removed or replaced while in use: restart Carnet.`);
    }
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch (cause) {
      throw new StoreUnfitError(`${path} can't be written any more: give Carnet the right to.`, { cause });
    }
  };
};
