import type { RecordableHistogram } from 'node:perf_hooks';

export interface Load {
  /** How many in all. */
  readonly amount: number;
  /** How many at once. */
  readonly connections: number;
}

export interface Measured {
  readonly count: number;
  readonly seconds: number;
  /** Of each answer, in microseconds. */
  readonly latencies: RecordableHistogram;
  /** What making the load cost. */
  readonly generatorCpuMicroseconds: number;
}
