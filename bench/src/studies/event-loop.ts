import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { measureRound } from '../measure.ts';
import { wrongSecrets } from '../scenarios/client-credentials.ts';
import { startCarnetTarget } from '../targets/carnet.ts';
import type { Target } from '../targets/target.ts';
import { note, rounded, type Study, say, tableOf } from './study.ts';

interface Delays {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

const preload = (file: string): readonly string[] => ['--import', new URL(`../targets/${file}`, import.meta.url).href];

/** What the probe in the server has seen since it was asked last. */
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

const measure = async (title: string, imports: readonly string[]): Promise<readonly (readonly string[])[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-bench-delay-'));
  const file = join(folder, 'delays');
  const nodeOptions = ['delay-probe.ts', ...imports].flatMap(preload);
  const target = await startCarnetTarget({ store: 'memory', workers: 1, env: { EVENT_LOOP_FILE: file }, nodeOptions });
  try {
    const work = await wrongSecrets.prepare(target);
    await measureRound(target, work, wrongSecrets);
    const quiet = await watch(target, file, () => pause(2_000));
    const busy = await watch(target, file, () => measureRound(target, work, wrongSecrets));
    const row = (when: string, { p50, p99, max }: Delays) => [`${title}, ${when}`, ...[p50, p99, max].map(rounded)];
    return [row('idle', quiet), row('200 wrong secrets', busy)];
  } finally {
    await target.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** What others wait for while somebody guesses secrets. */
export const eventLoop: Study = {
  name: 'event-loop',
  title: 'Delay of the event loop while 200 wrong secrets are compared, bcrypt cost 8',
  options: {},
  async run() {
    const rows: (readonly string[])[] = [['ms', 'p50', 'p99', 'max']];
    note('native bcrypt');
    rows.push(...(await measure('bcrypt', [])));
    note('bcryptjs');
    rows.push(...(await measure('bcryptjs', ['without-bcrypt.ts'])));
    say(tableOf(rows));
  },
};
