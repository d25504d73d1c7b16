import { setTimeout as pause } from 'node:timers/promises';
import { type Deadline, millisecondsUntil } from './deadline.ts';

/** Repetitions after errors of the service. After them, the caller gets the error. */
const mostOutages = 3;
const firstPauseMs = 10;
const longestPauseMs = 400;

/** The errors after which another attempt is made. */
export interface Retries {
  /** Until the deadline: another attempt will succeed as soon as others have finished. */
  isCollision(error: unknown): boolean;
  /** A few times. */
  isOutage(error: unknown): boolean;
}

/** Half of the pause is random, so that callers that collided do not collide again. */
const pauseBefore = (attempt: number): number =>
  Math.min(firstPauseMs * 2 ** attempt, longestPauseMs) * (0.5 + Math.random() / 2);

/** Repeats the work after errors that may pass, as long as the deadline allows. */
export const repeat = async <T>(work: () => Promise<T>, deadline: Deadline, retries: Retries): Promise<T> => {
  let outages = 0;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (retries.isOutage(error)) outages += 1;
      else if (!retries.isCollision(error)) throw error;
      const pauseMs = pauseBefore(attempt);
      if (outages > mostOutages || millisecondsUntil(deadline) <= pauseMs) throw error;
      await pause(pauseMs);
    }
  }
};
