/** Limits how many pieces of work run at the same time. */
export interface Slots {
  /**
   * Runs the work as soon as a slot is free, in the order of the calls.
   *
   * @throws the reason of the signal, if it is aborted before that
   */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export const createSlots = (count: number): Slots => {
  let free = count;
  /** The order of the set is the order of the calls. */
  const waiting = new Set<() => void>();

  const take = (signal: AbortSignal): Promise<void> | undefined => {
    if (free > 0) {
      free -= 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        waiting.delete(begin);
        reject(signal.reason);
      };
      waiting.add(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  };

  const release = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  };

  return {
    run: async (signal, work) => {
      await take(signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
};
