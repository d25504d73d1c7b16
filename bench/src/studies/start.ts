import { cpuMicroseconds } from '../measure-cpu.ts';
import { oneOf } from '../option-values.ts';
import { median } from '../statistics.ts';
import { buildCarnet } from '../targets/build-carnet.ts';
import { serveCarnet } from '../targets/carnet-process.ts';
import { type Pages, pagesEnv, pagesNames } from '../targets/pages-env.ts';
import { makeScratchFolder, removeScratchFolder } from '../targets/scratch-folder.ts';
import { type StoreName, startStore } from '../targets/stores.ts';
import { startYardstick } from '../targets/yardstick.ts';
import { note, type Reading, rounded, type Study } from './study.ts';

interface Start {
  readonly readyMs: number;
  readonly cpuMs: number;
  /** How long the bare `node:http` server of the yardstick took just before. */
  readonly bareMs: number;
}

const startBare = async (): Promise<number> => {
  const startedAt = performance.now();
  const server = await startYardstick();
  const bareMs = performance.now() - startedAt;
  await server.stop();
  return bareMs;
};

const startOnce = async (options: Parameters<typeof serveCarnet>[0]): Promise<Start> => {
  const bareMs = await startBare();
  const server = await serveCarnet(options);
  const cpuMs = cpuMicroseconds([server.processId]) / 1_000;
  await server.stop();
  return { readyMs: server.readyAfterMs, cpuMs, bareMs };
};

interface Plan {
  readonly rounds: number;
  readonly pages: Pages;
}

interface Measured {
  /** The time to ready, divided by that of the bare server: the median of the rounds. */
  readonly bareTimes: number;
  readonly cells: readonly string[];
}

/** The first start is shown separately: it migrates, makes keys and fills the cache of compiled code. */
const measure = async (name: StoreName, workers: number, { rounds, pages }: Plan): Promise<Measured> => {
  const store = await startStore(name);
  const folder = makeScratchFolder('start');
  try {
    // A home of its own: no code is cached there yet.
    const env = { DATABASE_URL: store.url, ID_TOKEN_ALG: 'ES256', HOME: folder, ...pagesEnv[pages] };
    const starts: Start[] = [];
    const all = { env, workers, folder, isBuilt: true };
    while (starts.length <= rounds) starts.push(await startOnce(all));
    const again = starts.slice(1);
    const uncached = await startOnce({ ...all, env: { ...env, NODE_DISABLE_COMPILE_CACHE: '1' } });
    const readyMs = median(again.map((each) => each.readyMs));
    const bareTimes = median(again.map((each) => each.readyMs / each.bareMs));
    const cells = [
      `${name}, ${workers} worker${workers > 1 ? 's' : ''}`,
      rounded(readyMs),
      rounded(bareTimes),
      rounded(Math.min(...again.map((each) => each.readyMs))),
      rounded(median(again.map(({ cpuMs }) => cpuMs))),
      rounded(starts[0]?.readyMs ?? Number.NaN),
      rounded(uncached.readyMs),
    ];
    return { bareTimes, cells };
  } finally {
    removeScratchFolder(folder);
    await store.stop();
  }
};

/** How long users wait for a restart. */
export const start: Study = {
  name: 'start',
  title: 'From the start of the process to ready, built and migrated',
  options: { rounds: '7', pages: 'own' },
  async run({ rounds, pages: whose = '' }) {
    const plan: Plan = { rounds: Number(rounds), pages: oneOf('pages', whose, pagesNames) };
    buildCarnet();
    const rows = [['ms', 'ready', 'times a bare server', 'fastest', 'CPU', 'first', 'no cache of code']];
    const readings: Reading[] = [];
    for (const name of ['sqlite', 'postgres'] as const) {
      for (const workers of [1, 2]) {
        note(`${name}, ${workers} worker${workers > 1 ? 's' : ''}`);
        const { bareTimes, cells } = await measure(name, workers, plan);
        rows.push([...cells]);
        readings.push({ name: 'start to ready', target: `${cells[0]}, ${plan.pages} pages`, value: bareTimes });
      }
    }
    return { tables: [rows], readings };
  },
};
