import type { Round } from './measure.ts';
import type { Outcome } from './run-scenario.ts';

const round: Round = { perSecond: 1_000, p50: 1, p95: 2, p99: 3, serverCpu: 100, storeCpu: 10, generatorCpu: 20 };

/** An outcome for tests, with what matters there. */
export const outcomeWith = (
  members: Partial<Outcome>,
  median: Partial<Round> = {},
  yardstick: Partial<Round> = { serverCpu: 20, perSecond: 5_000 },
): Outcome => ({
  scenario: 'login',
  title: 'Login',
  target: 'carnet on postgres',
  connections: 64,
  amount: 100,
  isRateGiven: false,
  warmUps: 2,
  rounds: [{ ...round, ...median }],
  median: { ...round, ...median },
  lowest: { ...round, ...median },
  highest: { ...round, ...median },
  yardstick: { ...round, ...yardstick },
  cpuUnits: { ...round, ...median }.serverCpu / { ...round, ...yardstick }.serverCpu,
  buckets: [0, 0, 3, 5],
  ...members,
});
