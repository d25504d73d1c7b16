import type { Limited } from '../second-factors.ts';
import type { AttemptStore } from '../store.ts';

const freeGuesses = 5;
const firstWaitSeconds = 300;
const longestWaitSeconds = 900;
const memorySeconds = 86_400;

/** A guess that was counted. */
export interface Guess {
  /** Undefined if the guess is allowed. */
  readonly limited: Limited | undefined;
  /** Clears the counts after a right guess. */
  succeed(): Promise<void>;
}

export interface GuessLimit {
  /** Counts a guess before it is checked, so that parallel guesses cannot exceed the limit. */
  begin(key: string): Promise<Guess>;
  /** Forgets the wrong guesses. */
  forget(key: string): Promise<void>;
}

/** 5 minutes after the fifth guess, 10 after the sixth, 15 after each later one. */
const waitSeconds = (count: number): number =>
  Math.min(firstWaitSeconds * 2 ** Math.min(count - freeGuesses, 10), longestWaitSeconds);

/**
 * Five guesses, then one after each wait, within 24 hours of the first wrong guess: at most 105 guesses a day, of which
 * one succeeds with a probability of 0.0003 (6 digits, 3 steps).
 */
export const createGuessLimit = (attempts: AttemptStore, now: () => number): GuessLimit => {
  const waitKey = (key: string): string => `${key}:wait`;
  const forget = async (key: string): Promise<void> => {
    await Promise.all([attempts.clear(key), attempts.clear(waitKey(key))]);
  };
  return {
    forget,
    async begin(key) {
      const { count, resetAt } = await attempts.increment(key, memorySeconds);
      if (count < freeGuesses) return { limited: undefined, succeed: () => attempts.clear(key) };
      const succeed = () => forget(key);
      // The first guess in a wait is allowed. Later guesses do not extend the wait.
      const wait = await attempts.increment(waitKey(key), waitSeconds(count));
      if (wait.count === 1) return { limited: undefined, succeed };
      // A guess that is not checked must not be counted as wrong.
      await attempts.decrement(key, resetAt);
      const retryAfterSeconds = Math.max(1, Math.ceil((wait.resetAt - now()) / 1_000));
      return { limited: { outcome: 'limited', retryAfterSeconds }, succeed };
    },
  };
};
