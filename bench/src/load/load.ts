import type { Latencies } from './latencies.ts';

export interface Load {
  /** How many in all. */
  readonly amount: number;
  /** How many at once. */
  readonly connections: number;
  /** Begun each second, whether or not the ones before have ended; without it, each when another has ended. */
  readonly perSecond?: number;
}

export interface Measured {
  readonly count: number;
  readonly seconds: number;
  readonly latencies: Latencies;
  /** CPU time of this process. */
  readonly generatorCpuMicroseconds: number;
}

/** Does it once. Throws for an unexpected answer. */
export type Run = () => Promise<void>;
