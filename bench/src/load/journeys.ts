import { createHistogram } from 'node:perf_hooks';
import type { JourneyWork } from '../scenarios/scenario.ts';
import type { Load, Measured } from './load.ts';

/** So many at once, each begun when another has ended. Throws the first failure, when all have ended. */
export const runJourneys = async ({ run }: JourneyWork, { amount, connections }: Load): Promise<Measured> => {
  const latencies = createHistogram({ figures: 3 });
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let begun = 0;
  const one = async (): Promise<void> => {
    while (begun < amount) {
      begun += 1;
      const at = performance.now();
      await run();
      latencies.record(Math.max(1, Math.round((performance.now() - at) * 1_000)));
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: connections }, one));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure) throw failure.reason;
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpu = process.cpuUsage(cpuBefore);
  return { count: amount, seconds, latencies, generatorCpuMicroseconds: cpu.user + cpu.system };
};
