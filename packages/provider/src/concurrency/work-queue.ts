/** Limits how much work runs at once, and refuses work when too much is queued, in total or for one owner. */
export interface WorkQueue {
  /** @throws the error of `full`, at once, when the queue is full or has reached the owner's limit */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
  readonly running: number;
  readonly waiting: number;
}

export interface WorkQueueOptions {
  readonly concurrency: number;
  /** How much work may wait, in addition to the work that runs. Default: any amount. */
  readonly maxWaiting?: number;
  /** How much work of one owner may run or wait, so that one owner's flood delays others only this much. Default: any amount. */
  readonly maxPerOwner?: number;
  readonly full?: () => Error;
}

export const createWorkQueue = ({
  concurrency,
  maxWaiting = Number.POSITIVE_INFINITY,
  maxPerOwner = Number.POSITIVE_INFINITY,
  full = () => new Error('The queue is full.'),
}: WorkQueueOptions): WorkQueue => {
  const waiting: (() => void)[] = [];
  const pending = new Map<string, number>();
  let running = 0;

  const takeTurn = (): Promise<void> | undefined => {
    if (running < concurrency) {
      running++;
      return undefined;
    }
    if (waiting.length >= maxWaiting) throw full();
    // Work that ends passes its turn to the next in line, so `running` does not change.
    return new Promise((resolve) => waiting.push(resolve));
  };
  const endTurn = (): void => {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  };

  return {
    run: async (owner, work) => {
      const count = pending.get(owner) ?? 0;
      if (count >= maxPerOwner) throw full();
      pending.set(owner, count + 1);
      try {
        await takeTurn();
        try {
          return await work();
        } finally {
          endTurn();
        }
      } finally {
        const left = (pending.get(owner) ?? 1) - 1;
        if (left > 0) pending.set(owner, left);
        else pending.delete(owner);
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
