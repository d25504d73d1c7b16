import { createWorkQueue, type WorkQueue, type WorkQueueOptions } from './work-queue.ts';

/**
 * A work queue for each part, such as an issuer, which may have as much waiting as the limits say. All parts together run
 * `concurrency` at a time and take turns: work of one part is delayed by one piece of work of each other part.
 */
export const createDividedQueue = (options: WorkQueueOptions) => {
  const parts = new Map<string, WorkQueue>();
  const total = createWorkQueue({ concurrency: options.concurrency });

  /** @throws the error of `full`, when the queue of the part is full or has reached the owner's limit */
  return async <T>(part: string, owner: string, work: () => Promise<T>): Promise<T> => {
    const queue = parts.get(part) ?? createWorkQueue(options);
    parts.set(part, queue);
    try {
      return await queue.run(owner, () => total.run(part, work));
    } finally {
      if (queue.running === 0 && parts.get(part) === queue) parts.delete(part);
    }
  };
};
