/** Runs work a little at a time, and refuses it when too much is waiting. */
export interface WorkQueue {
  /** Rejects at once, with what `full` makes, when the queue is full. */
  run<T>(work: () => Promise<T>): Promise<T>;
  readonly running: number;
  readonly waiting: number;
}

export interface WorkQueueOptions {
  readonly concurrency: number;
  /** So many may wait, beside those that run. */
  readonly maxWaiting: number;
  readonly full: () => Error;
}

export const createWorkQueue = ({ concurrency, maxWaiting, full }: WorkQueueOptions): WorkQueue => {
  const waiting: (() => void)[] = [];
  let running = 0;

  const takeTurn = (): Promise<void> | undefined => {
    if (running < concurrency) {
      running++;
      return undefined;
    }
    if (waiting.length >= maxWaiting) throw full();
    // Whoever is done hands its turn on, so that `running` does not change.
    return new Promise((resolve) => waiting.push(resolve));
  };
  const endTurn = (): void => {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  };

  return {
    run: async (work) => {
      await takeTurn();
      try {
        return await work();
      } finally {
        endTurn();
      }
    },
    get running() {
      return running;
    },
    get waiting() {
      return waiting.length;
    },
  };
};
