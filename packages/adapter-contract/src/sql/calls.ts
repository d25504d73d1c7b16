import { type Deadline, withDeadline } from './deadline.ts';

/** The calls to a store, each with its own deadline, until it is closed. */
export const createCalls = (store: string, timeoutMs: number) => {
  const ended = Promise.withResolvers<void>();
  let underWay = 0;
  let isClosed = false;
  return {
    /** Rejects once `close` was called. */
    async run<T>(work: (deadline: Deadline) => Promise<T>): Promise<T> {
      if (isClosed) throw new Error(`The ${store} store is closed.`);
      underWay += 1;
      try {
        return await withDeadline(timeoutMs, work);
      } finally {
        underWay -= 1;
        if (isClosed && underWay === 0) ended.resolve();
      }
    },
    /** Refuses further calls. Resolves when the last call in progress has ended. */
    async close(): Promise<void> {
      isClosed = true;
      if (underWay > 0) await ended.promise;
    },
  };
};
