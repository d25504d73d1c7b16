import type { Round } from './measure.ts';

/** The mean of the two middle values for an even number of values; `NaN` for none. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
};

const ofEach = (rounds: readonly Round[], of: (values: readonly number[]) => number): Round => {
  const figure = (name: keyof Round): number => of(rounds.map((round) => round[name]));
  return {
    perSecond: figure('perSecond'),
    p50: figure('p50'),
    p95: figure('p95'),
    p99: figure('p99'),
    serverCpu: figure('serverCpu'),
    storeCpu: figure('storeCpu'),
    generatorCpu: figure('generatorCpu'),
  };
};

/** The median of each figure. */
export const medianOf = (rounds: readonly Round[]): Round => ofEach(rounds, median);

/** The lowest and the highest of each figure. */
export const spreadOf = (rounds: readonly Round[]): { readonly lowest: Round; readonly highest: Round } => ({
  lowest: ofEach(rounds, (values) => Math.min(...values)),
  highest: ofEach(rounds, (values) => Math.max(...values)),
});
