import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { assertSame } from '@carnet/adapter-contract/kit';
import type { AttemptStore } from '../store.ts';
import { fiftyTimes } from './assert.ts';
import type { Law } from './law.ts';

/** How much the clocks of the test and of the store may differ: `resetAt` is computed by the clock of the store. */
const clockSkewMs = 2_000;

const assertWindow = (resetAt: number, windowSeconds: number, what: string): void => {
  const distance = Math.abs(resetAt - (Date.now() + windowSeconds * 1_000));
  if (!(distance < clockSkewMs))
    throw new Error(`${what}: expected a window of ${windowSeconds} s, off by ${distance} ms`);
};

const freshKey = (): string => `law:${randomUUID()}`;

export const attemptLaws: readonly Law<AttemptStore>[] = [
  {
    name: 'attempts-are-counted',
    says: 'Each increment adds one, in every process, and the window of the first attempt stays.',
    async check({ store, other }) {
      const key = freshKey();
      const first = await store.increment(key, 600);
      assertSame(first.count, 1, 'the first count');
      assertWindow(first.resetAt, 600, 'the first attempt');
      await setTimeout(5);
      assertSame(await other.increment(key, 600), { count: 2, resetAt: first.resetAt }, 'the second count');
      const third = await store.increment(key, 10);
      assertSame(third, { count: 3, resetAt: first.resetAt }, 'the third count, with another window');
    },
  },
  {
    name: 'attempt-keys-are-independent',
    says: 'Attempts under one key do not change the count of another key.',
    async check({ store }) {
      const key = freshKey();
      await store.increment(key, 600);
      assertSame((await store.increment(`${key}x`, 600)).count, 1, 'the count of a longer key');
      assertSame((await store.increment(key.toUpperCase(), 600)).count, 1, 'the count of a key in capitals');
      await store.clear(`${key}x`);
      assertSame((await store.increment(key, 600)).count, 2, 'the count after another key was cleared');
    },
  },
  {
    name: 'fifty-attempts-count-to-fifty',
    says: 'Fifty parallel increments, over two connections, return the counts 1 to 50, each once.',
    async check(subject) {
      const key = freshKey();
      const answers = await fiftyTimes(subject, (store) => store.increment(key, 600));
      const counts = answers.map(({ count }) => count).sort((a, b) => a - b);
      assertSame(
        counts,
        Array.from({ length: 50 }, (_, index) => index + 1),
        'the counts',
      );
    },
  },
  {
    name: 'attempts-begin-anew-after-the-window',
    says: 'After the window, the count begins with one again, in a new window.',
    async check({ store }) {
      const key = freshKey();
      await store.increment(key, 1);
      await store.increment(key, 1);
      await setTimeout(1_100);
      const anew = await store.increment(key, 600);
      assertSame(anew.count, 1, 'the count after the window');
      assertWindow(anew.resetAt, 600, 'the attempt after the window');
    },
  },
  {
    name: 'decrement-takes-one-back',
    says: 'A decrement subtracts one attempt and keeps the window.',
    async check({ store, other }) {
      const key = freshKey();
      const { resetAt } = await store.increment(key, 600);
      await store.increment(key, 600);
      await other.decrement(key, resetAt);
      assertSame(await store.increment(key, 600), { count: 2, resetAt }, 'the count after a decrement');
    },
  },
  {
    name: 'decrement-stops-at-zero',
    says: 'A decrement of an unknown key or of zero attempts has no effect.',
    async check({ store }) {
      const key = freshKey();
      await store.decrement(key, Date.now());
      const { count, resetAt } = await store.increment(key, 600);
      assertSame(count, 1, 'the count after a decrement of an unknown key');
      for (let index = 0; index < 3; index += 1) await store.decrement(key, resetAt);
      assertSame((await store.increment(key, 600)).count, 1, 'the count after decrements of zero');
    },
  },
  {
    name: 'decrement-belongs-to-a-window',
    says: 'A decrement with the window of an earlier attempt does not change the count of the next window.',
    async check({ store, other }) {
      const key = freshKey();
      const { resetAt } = await store.increment(key, 1);
      await setTimeout(1_100);
      await store.increment(key, 600);
      await store.decrement(key, resetAt);
      await store.increment(key, 600);
      await other.decrement(key, resetAt);
      assertSame((await store.increment(key, 600)).count, 3, 'the count after decrements of an earlier window');
    },
  },
  {
    name: 'clear-begins-anew',
    says: 'After clear, the count begins with one again, in a new window.',
    async check({ store, other }) {
      const key = freshKey();
      await store.increment(key, 10);
      await store.increment(key, 10);
      await other.clear(key);
      const anew = await store.increment(key, 600);
      assertSame(anew.count, 1, 'the count after clear');
      assertWindow(anew.resetAt, 600, 'the attempt after clear');
    },
  },
];
