import { createWorkQueue, type WorkQueue } from './work-queue.ts';

export interface KeyedQueueOptions {
  readonly concurrencyPerKey: number;
  /** The total of all keys. */
  readonly totalConcurrency: number;
  readonly maxWaitingPerKey: number;
}

/** Limits the concurrency of each key and of all keys together: slow work delays only other work of its key. */
export const createKeyedQueue = ({ concurrencyPerKey, totalConcurrency, maxWaitingPerKey }: KeyedQueueOptions) => {
  const queues = new Map<string, WorkQueue>();
  const total = createWorkQueue({ concurrency: totalConcurrency });

  /** Resolves when the work is done, or at once, without doing the work, when too much of the key is waiting. */
  return async (key: string, work: () => Promise<void>): Promise<void> => {
    const queue = queues.get(key) ?? createWorkQueue({ concurrency: concurrencyPerKey });
    if (queue.waiting >= maxWaitingPerKey) return;
    queues.set(key, queue);
    try {
      await queue.run(key, () => total.run(key, work));
    } finally {
      if (queue.running === 0) queues.delete(key);
    }
  };
};
