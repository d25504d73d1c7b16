import { explain } from './faults.ts';

/** The calls to a store, until it is closed. Their errors say what to do about the file at `path`, if that is known. */
export const createCalls = (path: string) => {
  const ended = Promise.withResolvers<void>();
  let underWay = 0;
  let isClosed = false;

  return {
    /** Rejects once `close` was called. */
    async run<T>(call: () => Promise<T>): Promise<T> {
      if (isClosed) throw new Error('The SQLite store is closed.');
      underWay += 1;
      try {
        return await call();
      } catch (error) {
        throw explain(error, path);
      } finally {
        underWay -= 1;
        if (isClosed && underWay === 0) ended.resolve();
      }
    },
    /** Refuses further calls. Resolves when the last call in progress has ended. */
    close(): Promise<void> {
      isClosed = true;
      if (underWay === 0) ended.resolve();
      return ended.promise;
    },
  };
};
