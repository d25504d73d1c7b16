import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type CpuInfo, cpus, release, totalmem, type } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Commit, Machine } from './results.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export const describeMachine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryGigabytes: Math.round(totalmem() / 2 ** 30),
  system: `${type()} ${release()}`,
});

const timesOf = (all: readonly Pick<CpuInfo, 'times'>[]): { idle: number; total: number } => {
  const idle = all.reduce((sum, { times }) => sum + times.idle, 0);
  const total = all.reduce((sum, { times }) => sum + Object.values(times).reduce((one, other) => one + other, 0), 0);
  return { idle, total };
};

/** The share of the CPU time of all cores that was used between two readings of `os.cpus()`: 0 to 1. */
export const busyShareOf = (
  before: readonly Pick<CpuInfo, 'times'>[],
  after: readonly Pick<CpuInfo, 'times'>[],
): number => {
  const [from, to] = [timesOf(before), timesOf(after)];
  return to.total === from.total ? 0 : 1 - (to.idle - from.idle) / (to.total - from.total);
};

/** How much of the machine other programs use now, in one second. Called before the servers start. */
export const measureBusyShare = async (): Promise<number> => {
  const before = cpus();
  await pause(1_000);
  return busyShareOf(before, cpus());
};

/** From this share on, the figures are lower than those of the quiet machine. */
const busyFrom = 0.15;

/** The warning for a busy machine; undefined for a quiet one. */
export const busyWarning = (share: number | undefined): string | undefined =>
  share === undefined || share < busyFrom
    ? undefined
    : `other programs used ${Math.round(100 * share)} % of the CPU before the start: the rates are too low, repeat this on a quiet machine`;

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
  mysql2: versionOf('mysql2', 'adapter-mysql'),
  ioredis: versionOf('ioredis', 'adapter-redis'),
});
