import { setTimeout as pause } from 'node:timers/promises';
import { createLatencies, type Latencies } from './latencies.ts';
import type { Measured, Run } from './load.ts';

export interface FixedRate {
  readonly perSecond: number;
  /** Whether no more are to begin, after so many milliseconds and so many begun. */
  isOver(elapsedMs: number, begun: number): boolean;
}

/**
 * Begins work at a fixed rate, whether or not what was begun before has ended. Latency counts from when each was due: what
 * had to wait for a slow one is as slow as it was for whoever waited (coordinated omission).
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
  // Every answer has to be right: a figure made of failures would be a good one.
  if (failures.length > 0) throw failures[0];
  const cpu = process.cpuUsage(cpuBefore);
  return {
    count: begun,
    seconds: (performance.now() - startedAt) / 1_000,
    latencies,
    generatorCpuMicroseconds: cpu.user + cpu.system,
  };
};
