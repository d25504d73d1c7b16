import type { Latencies } from './load/latencies.ts';
import type { Load } from './load/load.ts';
import { type Generator, runLoad } from './load/run-load.ts';
import { cpuMicroseconds } from './measure-cpu.ts';
import type { Scenario, Work } from './scenarios/scenario.ts';
import type { Target } from './targets/target.ts';

/** The figures of one round, or the medians of several. */
export interface Round {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /**
   * CPU microseconds per answer: of the server's processes, of its store's, of the load generator. `NaN` if the processes are
   * unknown.
   */
  readonly serverCpu: number;
  readonly storeCpu: number;
  readonly generatorCpu: number;
}

export interface MeasuredRound extends Round {
  readonly latencies: Latencies;
}

const isKnown = ({ processIds }: Target): boolean => processIds.length > 0;

const cpuOf = (target: Target, processIds: readonly number[]): number =>
  isKnown(target) ? cpuMicroseconds(processIds) : Number.NaN;

/** Does one round of the work. @throws Error unless every answer is right */
export const measureRound = async (
  target: Target,
  work: Work,
  { generator = 'own', ...load }: Load & { readonly generator?: Generator },
): Promise<MeasuredRound> => {
  if (work.kind === 'journeys') await work.renew?.(load.amount);
  const [serverBefore, storeBefore] = [cpuOf(target, target.processIds), cpuOf(target, target.storeProcessIds)];
  const { count, seconds, latencies, generatorCpuMicroseconds } = await runLoad(work, load, generator);
  return {
    perSecond: count / seconds,
    p50: latencies.percentile(50),
    p95: latencies.percentile(95),
    p99: latencies.percentile(99),
    serverCpu: (cpuOf(target, target.processIds) - serverBefore) / count,
    storeCpu: (cpuOf(target, target.storeProcessIds) - storeBefore) / count,
    generatorCpu: generatorCpuMicroseconds / count,
    latencies,
  };
};

/** The yardstick with as many connections as the scenario. */
export const yardstickOf = (scenario: Pick<Scenario, 'connections'>): Scenario => ({
  name: 'yardstick',
  title: 'node:http, 70 bytes',
  // About a second: the speed of a virtual machine varies by half from one tenth of a second to the next.
  amount: 25_000,
  connections: Math.min(100, scenario.connections),
  prepare: async ({ publicUrl }) => ({ kind: 'requests', url: `${publicUrl}/` }),
});
