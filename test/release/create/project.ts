import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { NodeVersion } from '../user/environment.ts';
import { createFolder, runIn } from '../user/folder.ts';

export interface Project {
  readonly folder: string;
  /** The output of the command. */
  readonly output: string;
  /** The variables of its file `.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const readEnv = (folder: string): Record<string, string> => {
  const lines = readFileSync(join(folder, '.env'), 'utf8').split('\n');
  return Object.fromEntries(lines.flatMap((line) => (/^\w+=/.test(line) ? [line.split(/=(.*)/s, 2)] : [])));
};

/**
 * Runs `npm create carnet` in an empty folder, then `npm install` in the project, as the command proposes.
 *
 * npm keeps packages that it runs by name and version. With a cache of its own, it runs the package of this run.
 */
export const createProject = async (flags: readonly string[], node: NodeVersion = '24'): Promise<Project> => {
  const parent = createFolder('create');
  const cache = join(inject('baseFolder'), 'npx');
  mkdirSync(cache, { recursive: true });
  const args = ['create', '--yes', 'carnet', 'my-app', '--', ...flags, '--yes', '--no-install'];
  const output = await runIn(parent, 'npm', args, { node, env: { npm_config_cache: cache } });
  const folder = join(parent, 'my-app');
  await runIn(folder, 'npm', ['install', '--loglevel=error'], { node });
  return { folder, output, env: readEnv(folder) };
};
