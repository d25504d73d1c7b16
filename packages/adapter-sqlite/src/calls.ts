import { explain } from './faults.ts';

/** The calls to a store, until it is closed. */
export interface Calls {
  /** Rejects once `close` was called. */
  run<T>(call: () => Promise<T>): Promise<T>;
  /** Let nobody in any more; resolves when the last call under way has ended. */
  close(): Promise<void>;
}

/** What a call throws says what has to be done about the file at `path`, where that is known. */
export const createCalls = (path: string): Calls => {
  const ended = Promise.withResolvers<void>();
  let underWay = 0;
  let isClosed = false;

  return {
    async run(call) {
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
    close() {
      isClosed = true;
      if (underWay === 0) ended.resolve();
      return ended.promise;
    },
  };
};
