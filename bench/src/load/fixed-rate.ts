import { setTimeout as pause } from 'node:timers/promises';
import { createLatencies, type Latencies } from './latencies.ts';
import type { Measured, Run } from './load.ts';

export interface FixedRate {
  readonly perSecond: number;
  /** Whether to stop, after so many milliseconds and so many requests. */
  isOver(elapsedMs: number, begun: number): boolean;
}

/**
 * Begins work at a fixed rate, whether or not the earlier work has ended. Latency is measured from the time at which each was
 * due: work that waits behind slow work is slow, too (coordinated omission).
 *
 * @throws the first failure of the work, when all of it has ended.
 */
export const runAtRate = async (run: Run, { perSecond, isOver }: FixedRate): Promise<Measured> => {
  const latencies: Latencies = createLatencies();
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let begun = 0;
  for (; ; begun += 1) {
    const due = startedAt + (begun * 1_000) / perSecond;
    const left = due - performance.now();
    if (left > 0) await pause(left);
    if (failures.length > 0 || isOver(performance.now() - startedAt, begun)) break;
    const one: Promise<void> = run()
      .then(
        () => latencies.record(performance.now() - due),
        (error: unknown) => void failures.push(error),
      )
      .finally(() => running.delete(one));
    running.add(one);
  }
  await Promise.all(running);
  // Failures are fast: a figure that contains them would be too good.
  if (failures.length > 0) throw failures[0];
  const cpu = process.cpuUsage(cpuBefore);
  return {
    count: begun,
    seconds: (performance.now() - startedAt) / 1_000,
    latencies,
    generatorCpuMicroseconds: cpu.user + cpu.system,
  };
};
