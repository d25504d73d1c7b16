import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

const writableByOthers = 0o022;
/** Others may add to such a folder, as to /tmp, but not replace what is in it. */
const sticky = 0o1000;

/** Whether nobody but us and root can put another folder in the place of this one. */
const isHeld = (folder: string, userId: number): boolean => {
  const { uid, mode } = lstatSync(folder);
  const isKept = (mode & writableByOthers) === 0 || (mode & sticky) !== 0;
  const parent = dirname(folder);
  return isKept && (uid === userId || uid === 0) && (parent === folder || isHeld(parent, userId));
};

const mayOthersWrite = (folder: string): boolean => (lstatSync(folder).mode & writableByOthers) !== 0;

/** The folder itself, links followed. @throws Error where somebody else could plant something in it. */
const entered = (folder: string): string => {
  const actual = realpathSync(folder);
  // Windows has no such ids; a home is its user's there.
  const userId = process.geteuid?.();
  if (userId === undefined || (!mayOthersWrite(actual) && isHeld(actual, userId))) return actual;
  throw new Error(`others can write to ${actual}`);
};

const subfolder = (parent: string, name: string): string => {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return entered(folder);
};

/**
 * Keeps compiled code in the home of whoever runs this. What is read from there is run as it is: so it is a folder in
 * which nobody else could have put anything (`sudo` may leave root the home of another), or there is no cache. Nor is
 * there one without a home, where it can't be written, or before Node 22.8; none of it is an error.
 */
export const keepCompiledCode = (): void => {
  try {
    const home = homedir();
    // An empty HOME would lead to wherever the command is given.
    if (isAbsolute(home)) module.enableCompileCache?.(subfolder(subfolder(entered(home), '.cache'), 'carnet'));
  } catch {}
};
