import { setTimeout as delay } from 'node:timers/promises';
import { isBusy } from './faults.ts';

/**
 * How long to leave another process to it, in milliseconds: longer each time, up to about 20, and at random, so that
 * two that wait do not keep meeting.
 */
export const pauseBefore = (attempt: number): number => (1 + Math.random()) * Math.min(2 ** attempt, 10);

/** The error if another process holds the lock too long. */
export const lockedTooLong = (timeoutMs: number, cause: unknown): Error =>
  new Error(`The SQLite file was locked by another process for ${timeoutMs} ms.`, { cause });

/**
 * Try until no other process is in the way. node:sqlite is synchronous: SQLite's own waiting would stop the event loop,
 * so that its busy timeout is 0 and the waiting is done here.
 */
export const whenUnlocked = async <T>(attempt: () => T, timeoutMs: number): Promise<T> => {
  const deadline = performance.now() + timeoutMs;
  for (let attempts = 0; ; attempts++) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() >= deadline) throw lockedTooLong(timeoutMs, error);
    }
    await delay(pauseBefore(attempts));
  }
};
