import { runClosedLoop } from '../load/closed-loop.ts';
import { residentBytes } from '../measure-cpu.ts';
import { oneOf } from '../option-values.ts';
import { buildCarnet } from '../targets/build-carnet.ts';
import { startCarnetTarget } from '../targets/carnet.ts';
import { pagesEnv, pagesNames } from '../targets/pages-env.ts';
import { storeNames } from '../targets/stores.ts';
import type { Target } from '../targets/target.ts';
import { openLogins } from '../users/logins.ts';
import { publicClient, registerClient } from '../users/register-client.ts';
import { note, rounded, type Study } from './study.ts';

const connections = 64;
const looks = 20;

/** The primary of several workers comes first and is left out: it serves no requests. */
const resident = ({ processIds }: Target, workers: number): readonly number[] =>
  residentBytes(processIds)
    .slice(workers > 1 ? 1 : 0)
    .map((bytes) => bytes / 1e6);

/** The memory of a worker after many logins. It runs built code: stripping types from source takes memory, too. */
export const memory: Study = {
  name: 'memory',
  title: 'Resident memory of each worker along so many logins',
  options: { logins: '200000', store: 'postgres', workers: '2', pages: 'own' },
  async run({ logins, store: name = '', workers: wanted, pages: whose = '' }) {
    const store = oneOf('store', name, storeNames);
    const pages = oneOf('pages', whose, pagesNames);
    const amount = Number(logins);
    buildCarnet();
    const target = await startCarnetTarget({ store, workers: Number(wanted), isBuilt: true, env: pagesEnv[pages] });
    const workers = Number(target.settings.workers);
    try {
      const rows = [['logins', ...Array.from({ length: workers }, (_, index) => `worker ${index + 1}, MB`), 'per s']];
      rows.push(['0', ...resident(target, workers).map(rounded), '']);
      const users = openLogins(target, await registerClient(target, publicClient), connections);
      const run = async () => void (await users.run());
      const step = Math.max(connections, Math.ceil(amount / looks));
      for (let done = 0; done < amount; ) {
        const count = Math.min(step, amount - done);
        const { seconds } = await runClosedLoop(run, { amount: count, connections });
        done += count;
        const row = [String(done), ...resident(target, workers).map(rounded), rounded(count / seconds)];
        rows.push(row);
        note(row.join('  '));
      }
      users.close();
      const most = Math.max(...resident(target, workers));
      const reading = {
        name: 'resident memory of a worker',
        target: `${store}, ${pages} pages, ${amount} logins`,
        value: most,
      };
      return { tables: [rows], readings: [reading] };
    } finally {
      await target.stop();
    }
  },
};
