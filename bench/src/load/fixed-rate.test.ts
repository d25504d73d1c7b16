import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runAtRate } from './fixed-rate.ts';

it('counts latency from when work was due, not from when it could begin', async () => {
  // One at a time, 10 ms each, but one is due each millisecond: the twentieth waits for nineteen.
  let before = Promise.resolve();
  const run = (): Promise<void> => {
    before = before.then(() => pause(10));
    return before;
  };
  const { count, latencies } = await runAtRate(run, { perSecond: 1_000, isOver: (_, begun) => begun >= 20 });
  expect(count).toBe(20);
  expect(latencies.percentile(100)).toBeGreaterThan(100);
});

it('throws the first failure, when all that was begun has ended', async () => {
  let ended = 0;
  const run = async (): Promise<void> => {
    await pause(1);
    ended += 1;
    if (ended === 2) throw new Error('the second');
  };
  const running = runAtRate(run, { perSecond: 1_000, isOver: (_, begun) => begun >= 50 });
  await expect(running).rejects.toThrow('the second');
});
