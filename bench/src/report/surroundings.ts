import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, release, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Commit, Machine } from './results.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export const describeMachine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryGigabytes: Math.round(totalmem() / 2 ** 30),
  system: `${type()} ${release()}`,
});

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** `unknown` for a folder that is no clone. */
export const describeCommit = (): Commit => {
  try {
    return { id: git('rev-parse', '--short=12', 'HEAD'), isDirty: git('status', '--porcelain') !== '' };
  } catch {
    return { id: 'unknown', isDirty: true };
  }
};

/** The version of a package that a package of the workspace uses. */
const versionOf = (name: string, workspace: string): string => {
  const [entry] = createRequire(`${root}packages/${workspace}/package.json`).resolve.paths(name) ?? [];
  return (JSON.parse(readFileSync(`${entry}/${name}/package.json`, 'utf8')) as { version: string }).version;
};

export const describeVersions = (): Readonly<Record<string, string>> => ({
  Node: process.versions.node,
  'oidc-provider': versionOf('oidc-provider', 'provider'),
  pg: versionOf('pg', 'adapter-postgres'),
  ioredis: versionOf('ioredis', 'adapter-redis'),
});
