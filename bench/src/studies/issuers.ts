import { runClosedLoop } from '../load/closed-loop.ts';
import { cpuMicroseconds, residentBytes } from '../measure-cpu.ts';
import { oneOf } from '../option-values.ts';
import { median } from '../statistics.ts';
import { buildCarnet } from '../targets/build-carnet.ts';
import { type IssuersProcess, startIssuers } from '../targets/issuers.ts';
import { startStore } from '../targets/stores.ts';
import { type HttpPool, openHttpPool } from '../users/http-pool.ts';
import { openLogins } from '../users/logins.ts';
import { publicClient, registerClient } from '../users/register-client.ts';
import { note, rounded, type Study } from './study.ts';

const connections = 32;
const megabytesOf = ({ processId }: IssuersProcess): number => (residentBytes([processId])[0] ?? 0) / 1e6;

/** The admin API of one issuer at the address of all. */
const below = (pool: HttpPool, prefix: string): HttpPool => ({
  ...pool,
  send: (request, ...expected) => pool.send({ ...request, path: prefix + request.path }, ...expected),
});

/** A login at each issuer of a process, by its position. */
const openUsers = async (serving: IssuersProcess, names: readonly string[]) => {
  const publicly = openHttpPool(serving.publicUrl, connections);
  const admin = openHttpPool(serving.adminUrl, connections);
  const logins: (() => Promise<void>)[] = [];
  for (const name of names) {
    const target = { publicUrl: `${serving.publicUrl}/${name}`, adminUrl: `${serving.adminUrl}/${name}` };
    const client = await registerClient(target, publicClient);
    const users = openLogins(target, client, connections, {}, { publicly, admin: below(admin, `/${name}`) });
    logins.push(async () => void (await users.run()));
  }
  return {
    loginAt: (index: number) => (logins[index] as () => Promise<void>)(),
    close() {
      publicly.close();
      admin.close();
    },
  };
};

type Choose = () => number;

const inTurn = (count: number): Choose => {
  let next = 0;
  return () => next++ % count;
};

/** By Zipf's law: the issuer of rank r has 1/r of the logins of the first. */
const byRank = (count: number): Choose => {
  const sums: number[] = [];
  for (let rank = 1; rank <= count; rank++) sums.push((sums.at(-1) ?? 0) + 1 / rank);
  return () => {
    const point = Math.random() * (sums.at(-1) ?? 0);
    return sums.findIndex((sum) => point < sum);
  };
};

interface Measured {
  /** Microseconds for each login. */
  readonly server: number;
  readonly store: number;
  /** Milliseconds. */
  readonly p95: number;
}

/** The memory of a process with many issuers, and the CPU time of its logins beside those of a process with one. */
export const issuers: Study = {
  name: 'issuers',
  title: 'Many issuers in one process: memory, and the CPU time of a login relative to one issuer',
  options: { issuers: '1000', logins: '2000', rounds: '7', store: 'postgres' },
  async run({ issuers: wanted, logins: perRound, rounds, store: name = '' }) {
    const storeName = oneOf('store', name, ['postgres'] as const);
    const [count, amount] = [Number(wanted), Number(perRound)];
    buildCarnet();
    const store = await startStore(storeName);
    const names = Array.from({ length: count }, (_, index) => `tenant-${index + 1}`);
    // The start of many issuers keeps the machine busy: no call may fail meanwhile.
    const storage = `${store.url}?timeout=60000`;
    const one = await startIssuers({ storage, names: ['single'] });
    const many = await startIssuers({ storage, names });
    try {
      const memory = [['resident memory, MB', 'one issuer', `${count} issuers`]];
      const remember = (when: string) => memory.push([when, rounded(megabytesOf(one)), rounded(megabytesOf(many))]);
      remember('created');
      const [alone, together] = [await openUsers(one, ['single']), await openUsers(many, names)];
      remember('a client registered at each');
      const measure = async (serving: IssuersProcess, run: () => Promise<void>, times: number): Promise<Measured> => {
        const [server, others] = [cpuMicroseconds([serving.processId]), cpuMicroseconds(store.processIds)];
        const { latencies } = await runClosedLoop(run, { amount: times, connections });
        return {
          server: (cpuMicroseconds([serving.processId]) - server) / times,
          store: (cpuMicroseconds(store.processIds) - others) / times,
          p95: latencies.percentile(95),
        };
      };
      const [turn, rank] = [inTurn(count), byRank(count)];
      const kinds = {
        'one issuer': () => measure(one, () => alone.loginAt(0), amount),
        'spread evenly': () => measure(many, () => together.loginAt(turn()), amount),
        'by Zipf': () => measure(many, () => together.loginAt(rank()), amount),
      };
      const first = await measure(many, () => together.loginAt(turn()), count);
      remember('the first login of each');
      for (let warm = 0; warm < 2; warm++) for (const run of Object.values(kinds)) await run();
      const measured = new Map<string, Measured[]>(Object.keys(kinds).map((kind) => [kind, []]));
      for (let round = 0; round < Number(rounds); round++) {
        for (const [kind, run] of Object.entries(kinds)) measured.get(kind)?.push(await run());
        note(`round ${round + 1} of ${rounds}`);
      }
      remember('at the end');
      alone.close();
      together.close();
      const base = measured.get('one issuer') ?? [];
      const ratioOf = (kind: string) =>
        median((measured.get(kind) ?? []).map(({ server }, round) => server / (base[round]?.server ?? Number.NaN)));
      const rowOf = (kind: string, of: readonly Measured[], ratio: string) => [
        kind,
        ...(['server', 'store', 'p95'] as const).map((column) => rounded(median(of.map((each) => each[column])))),
        ratio,
      ];
      const logins = [
        ['logins', 'cpu, us', 'store, us', 'p95, ms', 'times one issuer'],
        rowOf('first of each issuer', [first], ''),
        ...[...measured].map(([kind, of]) => rowOf(kind, of, ratioOf(kind).toFixed(2))),
      ];
      const creation = [
        ['creation of a provider', ''],
        ['CPU, ms each', rounded(many.creationMicroseconds / count / 1e3)],
      ];
      const target = `${storeName}, ${count} issuers`;
      return {
        tables: [memory, logins, creation],
        readings: [
          { name: 'resident memory of a worker with many issuers', target, value: megabytesOf(many) },
          { name: 'CPU of a login at one of many issuers', target, value: ratioOf('spread evenly') },
        ],
      };
    } finally {
      await Promise.all([one.stop(), many.stop()]);
      await store.stop();
    }
  },
};
