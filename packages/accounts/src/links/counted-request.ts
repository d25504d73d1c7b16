import { setTimeout } from 'node:timers/promises';
import type { Attempt } from '../attempts/login-attempts.ts';

/**
 * An answer takes at least this time. A known user is found in the first directory or in a cache, and an unknown one is
 * searched for in all directories: without it, the duration of the answer would reveal which users exist.
 */
const answerMs = 250;

/** The time of an answer that finds a known user and then loads it: two requests of a directory, where one finds no unknown user. */
export const findAndLoad = 2 * answerMs;

/** The result of the work, as soon as it is done and `leastMs` are over. */
const inAnswerTime = async <Value>(work: Promise<Value>, leastMs: number): Promise<Value> => {
  const [value] = await Promise.all([work, setTimeout(leastMs)]);
  return value;
};

/** Answers a request that was counted. One that fails, such as in an outage, is not counted. */
export const answerCounted = async <Value>(
  { giveBack }: Pick<Attempt, 'giveBack'>,
  work: () => Promise<Value>,
  leastMs = answerMs,
): Promise<Value> => {
  try {
    return await inAnswerTime(work(), leastMs);
  } catch (error) {
    await giveBack();
    throw error;
  }
};
