import { setTimeout as delay } from 'node:timers/promises';
import type { StorageAdapter, Swept } from '@carnet/adapter-contract';

/** Records of one call: few, so that no row is locked for long. */
const batchSize = 1_000;
/** Calls between two reports of a timed sweep. */
const maxBatches = 50;

/**
 * Removes expired records in batches, and rests after each for as long as it took: half of one connection at most.
 * Until none is left, or `maxBatches`.
 */
export const sweepBatches = async (
  adapter: Pick<StorageAdapter, 'sweep'>,
  { maxBatches = Number.POSITIVE_INFINITY, onBatch }: { maxBatches?: number; onBatch?: (total: Swept) => void } = {},
): Promise<Swept> => {
  let total: Swept = { removed: 0, left: 0 };
  for (let batch = 0; batch < maxBatches; batch++) {
    const startedAt = performance.now();
    const { removed, left } = await adapter.sweep(batchSize);
    total = { removed: total.removed + removed, left };
    onBatch?.(total);
    // `left` includes rows that another sweep has locked: if none was removed, that sweep is at work.
    if (left === 0 || removed === 0) break;
    await delay(performance.now() - startedAt);
  }
  return total;
};

interface SweeperOptions {
  /** Seconds between two sweeps; a quarter more at random, so that processes do not sweep together. 0: never. */
  readonly intervalSeconds: number;
  readonly report: (outcome: Swept | { readonly error: unknown }) => void;
}

/** Removes expired records now and then. Never needed for correctness: expired is absent at read. */
export const startSweeping = (adapter: Pick<StorageAdapter, 'sweep'>, { intervalSeconds, report }: SweeperOptions) => {
  let timer: NodeJS.Timeout | undefined;
  let stopped = intervalSeconds === 0;
  let stats: Swept = { removed: 0, left: 0 };
  const schedule = (): void => {
    if (stopped) return;
    timer = setTimeout(run, intervalSeconds * 1_000 * (1 + Math.random() / 4));
    timer.unref();
  };
  const run = async (): Promise<void> => {
    try {
      let swept: Swept;
      do {
        swept = await sweepBatches(adapter, { maxBatches });
        stats = { removed: stats.removed + swept.removed, left: swept.left };
        report(swept);
        // A backlog does not wait for the interval, which would limit what a process removes. Locked records do wait.
      } while (!stopped && swept.left > 0 && swept.removed > 0);
    } catch (error) {
      if (!stopped) report({ error });
    }
    schedule();
  };
  schedule();
  return {
    /** Removed since the start, and left after the last sweep. */
    stats: (): Swept => stats,
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
};
