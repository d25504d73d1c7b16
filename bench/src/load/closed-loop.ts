import { createLatencies } from './latencies.ts';
import type { Load, Measured, Run } from './load.ts';

/** Runs so many at once; each begins when another has ended. @throws the first failure, when all have ended */
export const runClosedLoop = async (run: Run, { amount, connections }: Load): Promise<Measured> => {
  const latencies = createLatencies();
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let begun = 0;
  const one = async (): Promise<void> => {
    while (begun < amount) {
      begun += 1;
      const at = performance.now();
      await run();
      latencies.record(performance.now() - at);
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: connections }, one));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure) throw failure.reason;
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpu = process.cpuUsage(cpuBefore);
  return { count: amount, seconds, latencies, generatorCpuMicroseconds: cpu.user + cpu.system };
};
