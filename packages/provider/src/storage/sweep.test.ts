import { setTimeout as delay } from 'node:timers/promises';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import { expect, test, vi } from 'vitest';
import { startSweeping, sweepBatches } from './sweep.ts';

const storeWithExpired = async (count: number) => {
  const store = openMemoryAdapter();
  const expiresAt = new Date(0);
  await store.commit(
    Array.from({ length: count }, (_, index) => ({
      type: 'put' as const,
      record: { kind: 'replay' as const, id: `${index}`, payload: '{}', expiresAt },
    })),
  );
  return store;
};

test('a sweep goes on in batches until nothing is left, and tells how far it is', async () => {
  const totals: number[] = [];
  const outcome = await sweepBatches(await storeWithExpired(2_500), { onBatch: ({ removed }) => totals.push(removed) });
  expect(outcome).toEqual({ removed: 2_500, left: 0 });
  expect(totals).toEqual([1_000, 2_000, 2_500]);
});

test('a sweep with a bound stops there, and says what is left', async () => {
  const store = await storeWithExpired(2_500);
  expect(await sweepBatches(store, { maxBatches: 2 })).toEqual({ removed: 2_000, left: 500 });
});

test('a sweep ends when somebody else holds what is left', async () => {
  const busy = { sweep: async () => ({ removed: 0, left: 7 }) };
  expect(await sweepBatches(busy)).toEqual({ removed: 0, left: 7 });
});

test('the sweeper counts what it has removed, goes on after a failure, and ends when it is stopped', async () => {
  const outcomes = [{ removed: 3, left: 0 }, new Error('down'), { removed: 2, left: 0 }];
  const reports: unknown[] = [];
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const sweep = async () => {
    const outcome = outcomes.shift() ?? { removed: 0, left: 0 };
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const sweeper = startSweeping(
    { sweep },
    {
      intervalSeconds: 0.005,
      report: (outcome) => {
        if (reports.push(outcome) === 3) resolve();
      },
    },
  );
  await over;
  sweeper.stop();
  expect(sweeper.stats()).toEqual({ removed: 5, left: 0 });
  expect(reports.map((report) => Object.keys(report as object))).toEqual([
    ['removed', 'left'],
    ['error'],
    ['removed', 'left'],
  ]);
  const count = reports.length;
  await delay(30);
  expect(reports).toHaveLength(count);
});

test('the sweeper continues without waiting for its interval while expired records are left', async () => {
  const store = await storeWithExpired(120_000);
  const intervalSeconds = 0.001_7;
  const reports: unknown[] = [];
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const sweeper = startSweeping(store, {
    intervalSeconds,
    report: (outcome) => {
      if (reports.push(outcome) === 3) resolve();
    },
  });
  await over;
  sweeper.stop();
  // One for the first sweep, and one for the sweep after the backlog. Other tests of this process have timers, too.
  const ms = intervalSeconds * 1_000;
  expect(timers.mock.calls.filter(([, wait = 0]) => wait >= ms && wait <= ms * 1.25)).toHaveLength(2);
  timers.mockRestore();
  expect(reports).toEqual([
    { removed: 50_000, left: 10_000 },
    { removed: 50_000, left: 10_000 },
    { removed: 20_000, left: 0 },
  ]);
});

test('the sweeper waits for its interval if the remaining records are locked', async () => {
  let sweeps = 0;
  const sweep = async () => {
    sweeps += 1;
    return { removed: 0, left: 7 };
  };
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const sweeper = startSweeping({ sweep }, { intervalSeconds: 0.01, report: () => resolve() });
  await over;
  sweeper.stop();
  await delay(5);
  expect(sweeps).toBe(1);
});

test('an interval of 0 sweeps never', async () => {
  const sweeper = startSweeping(
    { sweep: () => Promise.reject(new Error('swept')) },
    { intervalSeconds: 0, report: () => expect.unreachable() },
  );
  await delay(20);
  sweeper.stop();
});
