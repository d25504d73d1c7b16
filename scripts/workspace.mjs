// What the other scripts know of the workspace. No dependencies: this runs before anything is installed, on Node 20.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const say = (text) => process.stdout.write(`${text}\n`);

/** The environment of every child: the workspace's own Node 24 and tools come first. */
export const childEnv = (extra = {}) => ({
  ...process.env,
  PATH: [join(root, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter),
  ...extra,
});

/** Runs a command, its output shown; resolves with its exit code. */
export const run = (command, args, { cwd = root, env = childEnv() } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 130)));
  });

/** Every file below a folder, sorted, without what tools put there. */
export const filesBelow = (folder, ignored = new Set(['node_modules', '.next', 'dist'])) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !ignored.has(entry.name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path, ignored);
      return entry.isFile() ? [path] : [];
    });

/** One hash over the names and contents of files. */
export const fingerprint = (files) => {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  for (const file of files)
    hash
      .update(`${relative(root, file)}\n`)
      .update(readFileSync(file))
      .update('\n');
  return hash.digest('hex');
};

export const readIfPresent = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
