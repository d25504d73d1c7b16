/** Runs work a little at a time, and refuses it when too much is waiting, in all or of one owner. */
export interface WorkQueue {
  /** Rejects at once, with what `full` makes, when the queue is full or holds all it may of this owner's. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
  readonly running: number;
  readonly waiting: number;
}

export interface WorkQueueOptions {
  readonly concurrency: number;
  /** So many may wait, beside those that run. */
  readonly maxWaiting: number;
  /** So many may run or wait of one owner's, so that nobody's flood is what others wait behind. */
  readonly maxPerOwner: number;
  readonly full: () => Error;
}

export const createWorkQueue = ({ concurrency, maxWaiting, maxPerOwner, full }: WorkQueueOptions): WorkQueue => {
  const waiting: (() => void)[] = [];
  const pending = new Map<string, number>();
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

  const enter = (owner: string): void => {
    const count = pending.get(owner) ?? 0;
    if (count >= maxPerOwner) throw full();
    pending.set(owner, count + 1);
  };
  const leave = (owner: string): void => {
    const count = pending.get(owner) ?? 0;
    if (count > 1) pending.set(owner, count - 1);
    else pending.delete(owner);
  };

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    await takeTurn();
    try {
      return await work();
    } finally {
      endTurn();
    }
  };

  return {
    run: async (owner, work) => {
      enter(owner);
      try {
        return await inTurn(work);
      } finally {
        leave(owner);
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
