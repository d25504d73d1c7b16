import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createDividedQueue } from './divided-queue.ts';

/** Work that lasts until `endNext` is called. */
const createWork = () => {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  return {
    started,
    work: (name: string) => () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    },
    async endNext(): Promise<void> {
      ends.shift()?.();
      await turn();
    },
  };
};

it('a part whose queue is full leaves the places of the others, and its work takes turns with theirs', async () => {
  const run = createDividedQueue({ concurrency: 1, maxWaiting: 2, full: () => new Error('busy') });
  const { started, work, endNext } = createWork();
  const flood = ['a1', 'a2', 'a3'].map((name) => run('a', name, work(name)));
  await expect(run('a', 'a4', work('a4'))).rejects.toThrow('busy');
  const others = ['b1', 'b2'].map((name) => run('b', name, work(name)));
  for (let ended = 0; ended < 5; ended++) {
    expect(started).toHaveLength(ended + 1);
    await endNext();
  }
  await Promise.all([...flood, ...others]);
  expect(started.slice(0, 2)).toEqual(['a1', 'b1']);
  expect(started.indexOf('b2')).toBeLessThan(4);
});

it('an owner who has reached the limit in one part may use another', async () => {
  const run = createDividedQueue({ concurrency: 1, maxPerOwner: 1, full: () => new Error('busy') });
  const { started, work, endNext } = createWork();
  const first = run('a', 'app', work('a'));
  await expect(run('a', 'app', async () => {})).rejects.toThrow('busy');
  const other = run('b', 'app', work('b'));
  await endNext();
  await endNext();
  await Promise.all([first, other]);
  expect(started).toEqual(['a', 'b']);
});

it.each([0, 1, 2, 3, 4])('work that begins while two others of its part end keeps its limit: %i', async (steps) => {
  const run = createDividedQueue({ concurrency: 2, maxPerOwner: 1, full: () => new Error('busy') });
  const { work, endNext } = createWork();
  const both = Promise.withResolvers<void>();
  const begin = async () => {
    for (let step = 0; step < steps; step++) await undefined;
    return { begun: run('a', 'app', work('begun')) };
  };
  const first = run('a', 'one', () => both.promise);
  await turn();
  const between = both.promise.then(begin);
  const second = run('a', 'other', () => both.promise);
  await turn();
  both.resolve();
  await Promise.all([first, second]);
  const { begun } = await between;
  await expect(run('a', 'app', async () => {})).rejects.toThrow('busy');
  await endNext();
  await begun;
});
