import type { AttemptCount, AttemptStore } from '../store.ts';

/** Attempts in the memory of one process: for tests and for demonstrations. */
export const createMemoryAttemptStore = (now: () => number = Date.now): AttemptStore => {
  const counts = new Map<string, AttemptCount>();
  let nextSweep = 0;
  /** Scans all counts, at most once a second: a flood of attempts must not make each attempt slower. */
  const removeExpired = (time: number): void => {
    if (time < nextSweep) return;
    nextSweep = time + 1_000;
    for (const [key, { resetAt }] of counts) if (resetAt <= time) counts.delete(key);
  };
  return {
    async increment(key, windowSeconds) {
      const time = now();
      removeExpired(time);
      const found = counts.get(key);
      const next =
        found === undefined || found.resetAt <= time
          ? { count: 1, resetAt: time + windowSeconds * 1_000 }
          : { count: found.count + 1, resetAt: found.resetAt };
      counts.set(key, next);
      return next;
    },
    async decrement(key, resetAt) {
      const found = counts.get(key);
      if (found?.resetAt !== resetAt) return;
      if (found.count > 1) counts.set(key, { ...found, count: found.count - 1 });
      else counts.delete(key);
    },
    async clear(key) {
      counts.delete(key);
    },
  };
};
