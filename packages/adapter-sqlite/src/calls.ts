import { explain } from './faults.ts';

/** The calls to a store, until it is closed. */
export interface Calls {
  /** Rejects once `close` was called. */
  run<T>(call: () => Promise<T>): Promise<T>;
  /** Refuses further calls. Resolves when the last call in progress has ended. */
  close(): Promise<void>;
}

/** Errors of a call say what to do about the file at `path`, if that is known. */
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
