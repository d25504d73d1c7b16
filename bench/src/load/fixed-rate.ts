import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds, sorted. */
export type Latencies = readonly number[];

/**
 * Begins work at a fixed rate, whether or not what was begun before has ended, until `isOver`. Latency counts from when
 * each was due: what had to wait for a slow one is as slow as it was for whoever waited (coordinated omission).
 *
 * @throws the first failure of the work, when all of it has ended.
 */
export const runAtRate = async (
  perSecond: number,
  isOver: (elapsedMs: number) => boolean,
  work: () => Promise<void>,
): Promise<Latencies> => {
  const latencies: number[] = [];
  const running: Promise<void>[] = [];
  const failures: unknown[] = [];
  const startedAt = performance.now();
  for (let index = 0; ; index++) {
    const due = startedAt + (index * 1_000) / perSecond;
    const left = due - performance.now();
    if (left > 0) await pause(left);
    if (failures.length > 0 || isOver(performance.now() - startedAt)) break;
    running.push(
      work().then(
        () => void latencies.push(performance.now() - due),
        (error: unknown) => void failures.push(error),
      ),
    );
  }
  await Promise.all(running);
  // Every answer has to be right: a figure made of failures would be a good one.
  if (failures.length > 0) throw failures[0];
  return latencies.sort((one, other) => one - other);
};

export const percentile = (latencies: Latencies, share: number): number =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN;
