import { runClosedLoop } from './load/closed-loop.ts';
import { runJourneys } from './load/journeys.ts';
import type { Load, Measured } from './load/load.ts';
import { cpuMicroseconds } from './measure-cpu.ts';
import type { Scenario, Work } from './scenarios/scenario.ts';
import type { Target } from './targets/target.ts';

/** One round. */
export interface Round {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** CPU time of each, in microseconds: of the server's processes, of its store's, of the load generator. */
  readonly serverCpu: number;
  readonly storeCpu: number;
  readonly generatorCpu: number;
}

const run = (work: Work, load: Load): Promise<Measured> =>
  work.kind === 'requests' ? runClosedLoop(work, load) : runJourneys(work, load);

export const measureRound = async (target: Target, work: Work, load: Load): Promise<Round> => {
  if (work.kind === 'journeys') await work.renew?.();
  const [serverBefore, storeBefore] = [cpuMicroseconds(target.processIds), cpuMicroseconds(target.storeProcessIds)];
  const { count, seconds, latencies, generatorCpuMicroseconds } = await run(work, load);
  const percentile = (share: number) => latencies.percentile(share) / 1_000;
  return {
    perSecond: count / seconds,
    p50: percentile(50),
    p95: percentile(95),
    p99: percentile(99),
    serverCpu: (cpuMicroseconds(target.processIds) - serverBefore) / count,
    storeCpu: (cpuMicroseconds(target.storeProcessIds) - storeBefore) / count,
    generatorCpu: generatorCpuMicroseconds / count,
  };
};

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/** Of each figure by itself. */
export const medianOf = (rounds: readonly Round[]): Round => {
  const of = (name: keyof Round) => median(rounds.map((round) => round[name]));
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p95: of('p95'),
    p99: of('p99'),
    serverCpu: of('serverCpu'),
    storeCpu: of('storeCpu'),
    generatorCpu: of('generatorCpu'),
  };
};

/** What the yardstick answers to as many connections. */
export const yardstickOf = (scenario: Scenario): Scenario => ({
  ...scenario,
  name: 'yardstick',
  title: 'node:http, 70 bytes',
  amount: 10_000,
  connections: 100,
  prepare: async ({ publicUrl }) => ({ kind: 'requests', url: `${publicUrl}/` }),
});
