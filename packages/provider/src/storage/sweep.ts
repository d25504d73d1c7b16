import type { StorageAdapter } from '@carnet/adapter-contract';

/** Milliseconds between two sweeps, and what is added at random so that several processes do not sweep together. */
const interval = 60_000;
const jitter = 15_000;
/** Records a call, and calls in a row: a long backlog is worked off over several sweeps. */
const batchSize = 1_000;
const maxBatches = 50;

const sweepOnce = async (adapter: Pick<StorageAdapter, 'sweep'>): Promise<number> => {
  let removed = 0;
  for (let batch = 0; batch < maxBatches; batch++) {
    const count = await adapter.sweep(batchSize);
    removed += count;
    if (count < batchSize) break;
  }
  return removed;
};

export interface Sweeper {
  stop(): void;
}

/** Removes expired records now and then. Never needed for correctness: expired is absent at read. */
export const startSweeping = (
  adapter: Pick<StorageAdapter, 'sweep'>,
  report: (outcome: { readonly removed: number } | { readonly error: unknown }) => void,
): Sweeper => {
  let timer: NodeJS.Timeout;
  const schedule = (): void => {
    timer = setTimeout(run, interval + Math.random() * jitter);
    timer.unref();
  };
  const run = (): void => {
    sweepOnce(adapter)
      .then(
        (removed) => report({ removed }),
        (error: unknown) => report({ error }),
      )
      .finally(schedule);
  };
  schedule();
  return { stop: () => clearTimeout(timer) };
};
