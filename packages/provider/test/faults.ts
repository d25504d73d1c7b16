import { setTimeout as delay } from 'node:timers/promises';

/** A stop on the way of one storage operation. */
export interface Hold {
  /** Resolves when an operation has come to the stop. */
  readonly reached: Promise<void>;
  release(): void;
}

/** What a test does to a store: make it as slow as a database, hold one operation back, let one or all of them fail. */
export interface Faults {
  /** How long each operation takes. Default 0: the next turn of the event loop. Milliseconds. */
  latencyMs: number;
  /** While set, every operation is rejected. */
  down: boolean;
  /** The next operation of this name (`read session`, `upsert AccessToken` ...) is rejected, and it alone. */
  failNext(name: string, error?: Error): void;
  /** The next operation of this name waits to be released. */
  holdNext(name: string): Hold;
  /** To be awaited by the store before, and by a read after, each operation. */
  pass(names: readonly string[]): Promise<void>;
}

export const outage = 'connect ECONNREFUSED 10.1.2.3:5432, user=carnet password=hunter2';

export const createFaults = (): Faults => {
  const failing = new Map<string, Error>();
  const holds = new Map<string, { reach: () => void; released: Promise<void> }>();

  return {
    latencyMs: 0,
    down: false,
    failNext: (name, error = new Error(outage)) => void failing.set(name, error),
    holdNext(name) {
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      holds.set(name, { reach: reached.resolve, released: released.promise });
      return { reached: reached.promise, release: released.resolve };
    },
    async pass(names) {
      await delay(this.latencyMs);
      if (this.down) throw new Error(outage);
      for (const name of names) {
        const error = failing.get(name);
        if (failing.delete(name)) throw error;
        const hold = holds.get(name);
        if (hold === undefined) continue;
        holds.delete(name);
        hold.reach();
        await hold.released;
      }
    },
  };
};
