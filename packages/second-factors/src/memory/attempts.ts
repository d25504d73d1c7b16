import type { AttemptCount, AttemptStore } from '../store.ts';

/** Attempts in the memory of one process: for tests and for demonstrations. */
export const createMemoryAttemptStore = (now: () => number = Date.now): AttemptStore => {
  const counts = new Map<string, AttemptCount>();
  const removeExpired = (): void => {
    for (const [key, { resetAt }] of counts) if (resetAt <= now()) counts.delete(key);
  };
  return {
    async increment(key, windowSeconds) {
      removeExpired();
      const { count, resetAt } = counts.get(key) ?? { count: 0, resetAt: now() + windowSeconds * 1_000 };
      const next = { count: count + 1, resetAt };
      counts.set(key, next);
      return next;
    },
    async decrement(key) {
      const found = counts.get(key);
      if (found === undefined) return;
      if (found.count > 1) counts.set(key, { ...found, count: found.count - 1 });
      else counts.delete(key);
    },
    async clear(key) {
      counts.delete(key);
    },
  };
};
