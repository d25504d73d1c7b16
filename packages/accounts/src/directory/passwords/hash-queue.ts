import { availableParallelism } from 'node:os';
import { DirectoryError } from '../directory-error.ts';

export interface HashQueueOptions {
  /** How many hashes are computed at the same time. Default: the number of cores minus one, 1 to 3. */
  readonly concurrency?: number;
  /** How many hashes may wait, in total. Default: 64 for each hash that is computed. */
  readonly maxWaiting?: number;
  /** How many hashes may wait for one owner. Default: 8. */
  readonly maxWaitingPerOwner?: number;
}

/**
 * The thread pool of Node.js has four threads, which also serve files and DNS lookups. Four hashes at once would stop these
 * until a hash is done. One core remains for requests that need no hash.
 */
const defaultConcurrency = Math.min(3, Math.max(1, availableParallelism() - 1));

/** Runs work when it is its turn. */
export interface HashQueue {
  /** @throws DirectoryError `unavailable` at once, if too much work is waiting, in total or for this owner */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

const refuse = (): never => {
  throw new DirectoryError('unavailable', 'passwords', 'too many passwords are waiting for verification', {
    retryAfterSeconds: 2,
  });
};

/**
 * Limits how many hashes are computed at the same time. Owners take turns: attempts on one account delay the sign-in of
 * another user by one hash at most, however many attempts there are.
 */
export const createHashQueue = ({
  concurrency = defaultConcurrency,
  maxWaiting = 64 * concurrency,
  maxWaitingPerOwner = 8,
}: HashQueueOptions = {}): HashQueue => {
  /** Waiting work by owner. The order of the map is the order of turns. No entry is empty. */
  const waiting = new Map<string, (() => void)[]>();
  let total = 0;
  let running = 0;

  const takeTurn = (owner: string): Promise<void> | undefined => {
    if (running < concurrency) {
      running++;
      return undefined;
    }
    const own = waiting.get(owner) ?? [];
    if (total >= maxWaiting || own.length >= maxWaitingPerOwner) refuse();
    total++;
    waiting.set(owner, own);
    return new Promise((resolve) => own.push(resolve));
  };

  /** Passes the turn to the first owner in line. The owner whose turn ends waits behind all others. */
  const endTurn = (ended: string): void => {
    const rest = waiting.get(ended);
    if (rest !== undefined) {
      waiting.delete(ended);
      waiting.set(ended, rest);
    }
    const [first] = waiting;
    if (first === undefined) {
      running--;
      return;
    }
    const [owner, own] = first;
    const next = own.shift();
    if (own.length === 0) waiting.delete(owner);
    total--;
    next?.();
  };

  return {
    run: async (owner, work) => {
      await takeTurn(owner);
      try {
        return await work();
      } finally {
        endTurn(owner);
      }
    },
  };
};
