import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { familyOf } from '../measure-cpu.ts';
import { makeScratchFolder, removeScratchFolder } from '../targets/scratch-folder.ts';
import type { Target } from '../targets/target.ts';
import { type CpuProfile, type Frame, mergeProfiles } from './cpu-profile.ts';
import { greatestParts, type ProfileSummary } from './origin.ts';
import { profilePath } from './profile-path.ts';

const longestWaitMs = 20_000;

export interface Profiled {
  readonly target: Target;
  readonly scenario: string;
}

export interface Profiler {
  /** Options for Node in each process of a server. */
  readonly nodeOptions: readonly string[];
  /** Profiles the target while `work` is done, and writes the profile of each process. Returns them as one. */
  record(what: Profiled, work: () => Promise<unknown>): Promise<Frame>;
  readonly summaries: readonly ProfileSummary[];
  close(): void;
}

const waitFor = async (path: string): Promise<string> => {
  for (const startedAt = performance.now(); !existsSync(path); await pause(20)) {
    if (performance.now() - startedAt > longestWaitMs) throw new Error(`no profile was written: ${path}`);
  }
  return readFileSync(path, 'utf8');
};

/** Profiles land in the folder `profiles` of `out`. */
export const openProfiler = (out: string): Profiler => {
  const exchange = makeScratchFolder('profiles');
  const sampler = new URL('./sampler.ts', import.meta.url);
  sampler.searchParams.set('folder', exchange);
  const taken = new Map<number, number>();
  const summaries: ProfileSummary[] = [];

  const collect = async (processId: number, name: string): Promise<CpuProfile> => {
    const number = taken.get(processId) ?? 0;
    taken.set(processId, number + 1);
    const path = profilePath(exchange, processId, number);
    const text = await waitFor(path);
    copyFileSync(path, join(out, 'profiles', `${name}-${processId}.cpuprofile`));
    return JSON.parse(text) as CpuProfile;
  };

  return {
    nodeOptions: ['--import', sampler.href],
    async record({ target, scenario }, work) {
      const processIds = familyOf(target.processIds);
      const toggle = () => {
        for (const id of processIds) process.kill(id, 'SIGUSR2');
      };
      const name = `${target.name}-${scenario}`.replace(/[^a-z0-9]+/gi, '-');
      mkdirSync(join(out, 'profiles'), { recursive: true });
      toggle();
      await work();
      toggle();
      const profiles = await Promise.all(processIds.map((id) => collect(id, name)));
      const root = mergeProfiles(profiles);
      summaries.push({ scenario, target: target.name, parts: greatestParts(root) });
      return root;
    },
    summaries,
    close: () => removeScratchFolder(exchange),
  };
};
