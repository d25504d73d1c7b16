import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { measureRound } from '../measure.ts';
import { wrongSecrets } from '../scenarios/client-credentials.ts';
import { startCarnetTarget } from '../targets/carnet.ts';
import { makeScratchFolder, removeScratchFolder } from '../targets/scratch-folder.ts';
import type { Target } from '../targets/target.ts';
import { type Reading, rounded, type Study } from './study.ts';

interface Delays {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

const preload = (file: string): readonly string[] => ['--import', new URL(`../targets/${file}`, import.meta.url).href];

/** The delays since the last reading. */
const readDelays = async ([processId]: readonly number[], file: string): Promise<Delays> => {
  process.kill(processId as number, 'SIGUSR2');
  while (!existsSync(file)) await pause(10);
  const delays = JSON.parse(readFileSync(file, 'utf8')) as Delays;
  rmSync(file);
  return delays;
};

const watch = async (target: Target, file: string, during: () => Promise<unknown>): Promise<Delays> => {
  await readDelays(target.processIds, file);
  await during();
  return readDelays(target.processIds, file);
};

interface Watched {
  readonly quiet: Delays;
  readonly busy: Delays;
}

const measure = async (): Promise<Watched> => {
  const folder = makeScratchFolder('delay');
  const file = join(folder, 'delays');
  const nodeOptions = preload('delay-probe.ts');
  const target = await startCarnetTarget({ store: 'memory', workers: 1, env: { EVENT_LOOP_FILE: file }, nodeOptions });
  try {
    const work = await wrongSecrets.prepare(target);
    await measureRound(target, work, wrongSecrets);
    const quiet = await watch(target, file, () => pause(2_000));
    const busy = await watch(target, file, () => measureRound(target, work, wrongSecrets));
    return { quiet, busy };
  } finally {
    await target.stop();
    removeScratchFolder(folder);
  }
};

/** How long other requests wait while an attacker guesses secrets. */
export const eventLoop: Study = {
  name: 'event-loop',
  title: 'Delay of the event loop while 200 wrong secrets are compared, bcrypt cost 8',
  options: {},
  async run() {
    const { quiet, busy } = await measure();
    const row = (when: string, { p50, p99, max }: Delays) => [when, ...[p50, p99, max].map(rounded)];
    const rows = [['ms', 'p50', 'p99', 'max'], row('idle', quiet), row('200 wrong secrets', busy)];
    const readings: Reading[] = [
      { name: 'event-loop delay, p99, 200 wrong secrets', target: 'bcrypt', value: busy.p99 },
    ];
    return { tables: [rows], readings };
  },
};
