import type { AttemptCount, AttemptStore } from '../store.ts';
import { type Mutant, turn } from './mutant.ts';

export const attemptMutants: readonly Mutant<AttemptStore>[] = [
  {
    name: 'extends-the-window-with-each-attempt',
    breaks: 'attempts-are-counted',
    wrap: (store) => ({
      ...store,
      increment: async (key, windowSeconds) => ({
        ...(await store.increment(key, windowSeconds)),
        resetAt: Date.now() + windowSeconds * 1_000,
      }),
    }),
  },
  {
    name: 'has-windows-in-milliseconds',
    breaks: 'attempts-are-counted',
    wrap: (store) => ({ ...store, increment: (key, windowSeconds) => store.increment(key, windowSeconds / 1_000) }),
  },
  {
    name: 'ignores-case',
    breaks: 'attempt-keys-are-independent',
    wrap: (store) => ({
      ...store,
      increment: (key, windowSeconds) => store.increment(key.toLowerCase(), windowSeconds),
    }),
  },
  {
    name: 'reads-before-it-counts',
    breaks: 'fifty-attempts-count-to-fifty',
    wrap: (store) => {
      const counts = new Map<string, AttemptCount>();
      return {
        ...store,
        async increment(key, windowSeconds) {
          const { count, resetAt } = counts.get(key) ?? { count: 0, resetAt: Date.now() + windowSeconds * 1_000 };
          await turn();
          counts.set(key, { count: count + 1, resetAt });
          return { count: count + 1, resetAt };
        },
      };
    },
  },
  {
    name: 'counts-for-good',
    breaks: 'attempts-begin-anew-after-the-window',
    wrap: (store) => ({ ...store, increment: (key) => store.increment(key, 86_400) }),
  },
  {
    name: 'clears-at-decrement',
    breaks: 'decrement-takes-one-back',
    wrap: (store) => ({ ...store, decrement: (key) => store.clear(key) }),
  },
  {
    name: 'counts-below-zero',
    breaks: 'decrement-stops-at-zero',
    wrap: (store) => {
      const credits = new Map<string, number>();
      return {
        ...store,
        async decrement(key) {
          credits.set(key, (credits.get(key) ?? 0) + 1);
        },
        async increment(key, windowSeconds) {
          const { count, resetAt } = await store.increment(key, windowSeconds);
          return { count: count - (credits.get(key) ?? 0), resetAt };
        },
      };
    },
  },
  {
    name: 'subtracts-from-any-window',
    breaks: 'decrement-belongs-to-a-window',
    wrap: (store) => {
      const windows = new Map<string, number>();
      return {
        ...store,
        async increment(key, windowSeconds) {
          const counted = await store.increment(key, windowSeconds);
          windows.set(key, counted.resetAt);
          return counted;
        },
        decrement: (key) => store.decrement(key, windows.get(key) ?? 0),
      };
    },
  },
  {
    name: 'clears-nothing',
    breaks: 'clear-begins-anew',
    wrap: (store) => ({ ...store, clear: async () => {} }),
  },
];
