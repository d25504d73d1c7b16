import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

const writableByOthers = 0o022;
/** Other users may add files to a sticky folder such as /tmp, but can't replace the files of others. */
const sticky = 0o1000;

/** Whether only this user and root can replace this folder by another one. */
const isHeld = (folder: string, userId: number): boolean => {
  const { uid, mode } = lstatSync(folder);
  const isKept = (mode & writableByOthers) === 0 || (mode & sticky) !== 0;
  const parent = dirname(folder);
  return isKept && (uid === userId || uid === 0) && (parent === folder || isHeld(parent, userId));
};

const mayOthersWrite = (folder: string): boolean => (lstatSync(folder).mode & writableByOthers) !== 0;

/** The real path of a folder. @throws Error if another user could put a file in it */
const entered = (folder: string): string => {
  const actual = realpathSync(folder);
  // Windows has no such ids. There, only its user can write to a home.
  const userId = process.geteuid?.();
  if (userId === undefined || (!mayOthersWrite(actual) && isHeld(actual, userId))) return actual;
  throw new Error(`other users can write to ${actual}`);
};

const subfolder = (parent: string, name: string): string => {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return entered(folder);
};

/**
 * Caches compiled code in the home of the user. Node runs what it finds in this cache, so the folder must be one in
 * which no other user could have put a file: `sudo` may leave root the home of another user. Otherwise there is no
 * cache. There is none either without a writable home or before Node 22.8. None of these is an error.
 */
export const keepCompiledCode = (): void => {
  try {
    const home = homedir();
    // An empty HOME would resolve to the working directory.
    if (isAbsolute(home)) module.enableCompileCache?.(subfolder(subfolder(entered(home), '.cache'), 'carnet'));
  } catch {}
};

/**
 * Writes the compiled code of the modules that were loaded so far into the cache, and frees the memory that Node holds it in.
 * Without this, both happen when the process ends.
 */
export const releaseCompiledCode = (): void => module.flushCompileCache?.();
