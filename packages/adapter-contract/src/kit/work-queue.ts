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
  /** How much work of one owner may wait. Default: any amount. */
  readonly maxWaitingPerOwner?: number;
  /** How much work of one owner may run or wait. Default: any amount. */
  readonly maxPerOwner?: number;
  readonly full?: () => Error;
}

/** Waiting work, by owner. Owners take turns. */
const createLine = () => {
  /** The order of the map is the order of turns. No entry is empty. */
  const queues = new Map<string, (() => void)[]>();
  let length = 0;
  return {
    length: () => length,
    lengthOf: (owner: string): number => queues.get(owner)?.length ?? 0,
    /** Resolves when it is the owner's turn. */
    wait(owner: string): Promise<void> {
      const own = queues.get(owner) ?? [];
      queues.set(owner, own);
      length++;
      return new Promise((resolve) => own.push(resolve));
    },
    /** Removes the next in line. The owner whose turn ends waits behind all others. */
    takeNext(ended: string): (() => void) | undefined {
      const rest = queues.get(ended);
      if (rest !== undefined) {
        queues.delete(ended);
        queues.set(ended, rest);
      }
      const [first] = queues;
      if (first === undefined) return undefined;
      const [owner, own] = first;
      if (own.length === 1) queues.delete(owner);
      length--;
      return own.shift();
    },
  };
};

/** Owners take turns: a flood of one owner delays the work of another by one piece of work at most. */
export const createWorkQueue = ({
  concurrency,
  maxWaiting = Number.POSITIVE_INFINITY,
  maxWaitingPerOwner = Number.POSITIVE_INFINITY,
  maxPerOwner = Number.POSITIVE_INFINITY,
  full = () => new Error('The queue is full.'),
}: WorkQueueOptions): WorkQueue => {
  const line = createLine();
  /** Work that runs or waits, by owner. */
  const pending = new Map<string, number>();
  let running = 0;

  const takeTurn = (owner: string): Promise<void> | undefined => {
    if (running < concurrency) {
      running++;
      return undefined;
    }
    if (line.length() >= maxWaiting || line.lengthOf(owner) >= maxWaitingPerOwner) throw full();
    // Work that ends passes its turn to the next in line, so `running` does not change.
    return line.wait(owner);
  };
  const endTurn = (owner: string): void => {
    const next = line.takeNext(owner);
    if (next === undefined) running--;
    else next();
  };

  return {
    run: async (owner, work) => {
      const count = pending.get(owner) ?? 0;
      if (count >= maxPerOwner) throw full();
      pending.set(owner, count + 1);
      try {
        await takeTurn(owner);
        try {
          return await work();
        } finally {
          endTurn(owner);
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
      return line.length();
    },
  };
};
