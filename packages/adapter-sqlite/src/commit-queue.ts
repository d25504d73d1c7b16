import type { Conflict } from '@carnet/adapter-contract';
import type { BoundCommit } from './commit.ts';
import { isBusy } from './faults.ts';
import { lockedTooLong, pauseBefore } from './lock.ts';

/** The outcome of a commit in a batch. */
export type Outcome = PromiseSettledResult<Conflict | undefined>;

interface CommitQueueOptions {
  /**
   * Carry out a batch in one transaction and answer with the outcome of each, once it is stored. Throws when nothing
   * of it was stored, or nothing is known; a busy error only when nothing was.
   */
  readonly run: (batch: readonly BoundCommit[]) => readonly Outcome[];
  readonly busyTimeoutMs: number;
}

interface Waiting {
  readonly commit: BoundCommit;
  readonly deadline: number;
  readonly resolve: (conflict: Conflict | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Writes a batch, about 5 ms of work: then others have the event loop and the file. */
const maxWrites = 500;

const takeBatch = (queue: Waiting[]): readonly Waiting[] => {
  let [count, writes] = [0, 0];
  for (const { commit } of queue) {
    writes += commit.length;
    if (count > 0 && writes > maxWrites) break;
    count += 1;
  }
  return queue.splice(0, count);
};

const settle = (batch: readonly Waiting[], outcomes: readonly Outcome[]): void => {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status === 'fulfilled') resolve(outcome.value);
    else reject(outcome?.reason);
  }
};

/**
 * Commits of one turn of the event loop share a transaction, and with it the wait for the disk. While another process
 * has the lock they wait, together with those that come meanwhile, each no longer than its time.
 */
export const createCommitQueue = ({ run, busyTimeoutMs }: CommitQueueOptions) => {
  const queue: Waiting[] = [];
  let isScheduled = false;
  let attempts = 0;

  const schedule = (): void => {
    if (isScheduled || queue.length === 0) return;
    isScheduled = true;
    // setImmediate comes after all sockets of a turn have been served: their commits travel together.
    if (attempts === 0) setImmediate(flush);
    else setTimeout(flush, pauseBefore(attempts));
  };

  const postpone = (batch: readonly Waiting[], error: unknown): void => {
    const now = performance.now();
    queue.unshift(...batch.filter(({ deadline }) => deadline > now));
    for (const { deadline, reject } of batch) if (deadline <= now) reject(lockedTooLong(busyTimeoutMs, error));
  };

  const flush = (): void => {
    isScheduled = false;
    const batch = takeBatch(queue);
    try {
      settle(batch, run(batch.map(({ commit }) => commit)));
      attempts = 0;
    } catch (error) {
      attempts = isBusy(error) ? attempts + 1 : 0;
      if (isBusy(error)) postpone(batch, error);
      else for (const { reject } of batch) reject(error);
    }
    schedule();
  };

  return {
    /** Resolves once the commit is stored, or has conflicted with one that is. */
    add(commit: BoundCommit): Promise<Conflict | undefined> {
      const { promise, resolve, reject } = Promise.withResolvers<Conflict | undefined>();
      queue.push({ commit, deadline: performance.now() + busyTimeoutMs, resolve, reject });
      schedule();
      return promise;
    },
  };
};
