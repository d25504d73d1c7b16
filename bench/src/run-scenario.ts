import { createLatencies, type Latencies } from './load/latencies.ts';
import type { Generator } from './load/run-load.ts';
import { type MeasuredRound, measureRound, type Round, yardstickOf } from './measure.ts';
import type { Scenario, Work } from './scenarios/scenario.ts';
import { median, medianOf, spreadOf } from './statistics.ts';
import type { Target } from './targets/target.ts';

/** For the first scenario of a server, whose code is cold: during the first several thousand logins, each costs a third more. */
const coldRules = { warmRounds: 6, most: 30 };
/** For a server that has served another scenario. */
const warmRules = { warmRounds: 2, most: 12 };

/** The share of a round's requests in a warm-up. */
const warmUpShare = 0.25;

/** A round takes about so many seconds at most: a slow server gets fewer requests. */
export const mostSecondsPerRound = 8;

interface Warmth {
  /** A server is warm when so many rounds in a row have each saved less than this share, compared with the last round that did. */
  readonly gainThatMatters: number;
  readonly warmRounds: number;
  /** Whether the time for the warm-up is over. */
  isOver(): boolean;
}

/** Repeats a round, which returns its cost, until the server is warm. */
export const untilWarm = async (
  round: () => Promise<number>,
  { gainThatMatters, warmRounds, isOver }: Warmth,
): Promise<void> => {
  let least = Number.POSITIVE_INFINITY;
  for (let without = 0; without < warmRounds && !isOver(); ) {
    const cost = await round();
    without += 1;
    if (cost > least * (1 - gainThatMatters)) continue;
    least = cost;
    without = 0;
  }
};

export interface Rules {
  readonly rounds: number;
  readonly generator: Generator;
  /** Requests that begin each second. Without it, each begins when another has ended. */
  readonly perSecond?: number;
  /** Does one more round on a target under a profiler. */
  profile?(target: Target, scenario: Scenario, round: () => Promise<unknown>): Promise<void>;
  /** Reports the current step. */
  onStep(target: string, step: string): void;
  /** Another server cannot run the scenario: it is left out. Without it, that is an error. */
  onUnable?(target: Target, error: Error): void;
}

/** The result of a scenario on one target. */
export interface Outcome {
  readonly scenario: string;
  readonly title: string;
  readonly target: string;
  readonly connections: number;
  readonly amount: number;
  /** Whether `--rate` was given. */
  readonly isRateGiven: boolean;
  readonly warmUps: number;
  readonly rounds: readonly Round[];
  readonly median: Round;
  readonly lowest: Round;
  readonly highest: Round;
  /** Medians of the yardstick's rounds in the same scenario. */
  readonly yardstick: Round;
  /** CPU time of an answer, divided by that of the yardstick before and after it: the median of the rounds. */
  readonly cpuUnits: number;
  /** The latencies of all rounds: see {@link Latencies.buckets}. */
  readonly buckets: readonly number[];
}

/** A scenario prepared on a target. */
export interface Ready {
  readonly target: Target;
  readonly work: Work;
  readonly scenario: Scenario;
  warmUps: number;
  /** Of the scenario's requests, in a round. */
  share: number;
  readonly rounds: MeasuredRound[];
}

const costOf = ({ serverCpu, perSecond }: Round): number => (Number.isNaN(serverCpu) ? 1 / perSecond : serverCpu);

/** Does a round with the given share of the scenario's requests. */
export const measureShare = (
  { target, work, scenario }: Ready,
  rules: Pick<Rules, 'generator' | 'perSecond'>,
  share = 1,
): Promise<MeasuredRound> =>
  measureRound(target, work, {
    amount: Math.ceil(scenario.amount * share),
    connections: scenario.connections,
    generator: rules.generator,
    ...(rules.perSecond !== undefined && scenario.name !== 'yardstick' ? { perSecond: rules.perSecond } : {}),
  });

/** The share of the scenario's requests that fits into a round, at the rate of another round. */
const shareWithin = ({ perSecond }: Round, { amount }: Scenario): number =>
  Math.min(1, (mostSecondsPerRound * perSecond) / amount);

/** The servers that have served a scenario. */
const served = new WeakSet<Target>();

/**
 * Repeats short rounds until several in a row save less than 5 % of the server's CPU time per request (elapsed time if the CPU
 * time is unknown). Then frequent code is compiled, caches are filled, and connections to the store are open.
 */
const warmUp = async (ready: Ready, rules: Rules): Promise<void> => {
  const { warmRounds, most } = served.has(ready.target) ? warmRules : coldRules;
  served.add(ready.target);
  const round = async (): Promise<number> => {
    rules.onStep(ready.target.name, `warming up, ${ready.warmUps + 1}`);
    const measured = await measureShare(ready, rules, warmUpShare * ready.share);
    ready.warmUps += 1;
    if (rules.perSecond === undefined) ready.share = shareWithin(measured, ready.scenario);
    return costOf(measured);
  };
  await untilWarm(round, { gainThatMatters: 0.05, warmRounds, isOver: () => ready.warmUps >= most });
};

export const prepare = async (scenario: Scenario, target: Target): Promise<Ready> => ({
  target,
  work: await scenario.prepare(target),
  scenario,
  warmUps: 0,
  share: 1,
  rounds: [],
});

const prepareOn = async (target: Target, scenario: Scenario, { onUnable }: Rules): Promise<Ready | undefined> => {
  try {
    return await prepare(scenario, target);
  } catch (error) {
    if (onUnable === undefined) throw error;
    onUnable(target, error as Error);
    return undefined;
  }
};

const latenciesOf = (rounds: readonly MeasuredRound[]): Latencies => {
  const all = createLatencies();
  for (const { latencies } of rounds) all.add(latencies);
  return all;
};

/** CPU time of an answer of the yardstick: the mean of the rounds before and after a round of a target. */
const unitAround = (unit: readonly Round[], index: number): number => {
  const around = unit.slice(index, index + 2).map(({ serverCpu }) => serverCpu);
  return around.reduce((sum, each) => sum + each, 0) / around.length;
};

const outcomeOf = ({ target, scenario, warmUps, rounds }: Ready, unit: Ready, rules: Rules): Outcome => ({
  scenario: scenario.name,
  title: scenario.title,
  target: target.name,
  connections: scenario.connections,
  amount: scenario.amount,
  isRateGiven: rules.perSecond !== undefined,
  warmUps,
  rounds: rounds.map(({ latencies: _, ...round }) => round),
  median: medianOf(rounds),
  ...spreadOf(rounds),
  yardstick: medianOf(unit.rounds),
  cpuUnits: median(rounds.map(({ serverCpu }, index) => serverCpu / unitAround(unit.rounds, index))),
  buckets: latenciesOf(rounds).buckets,
});

/** Measures the yardstick and each target in turn in every round, so that the state of the machine affects all alike. */
export const runScenario = async (
  scenario: Scenario,
  { yardstick, targets }: { readonly yardstick: Target; readonly targets: readonly Target[] },
  rules: Rules,
): Promise<readonly Outcome[]> => {
  const unit = await prepare(yardstickOf(scenario), yardstick);
  const all: Ready[] = [];
  for (const target of targets) {
    rules.onStep(target.name, 'making ready');
    const ready = await prepareOn(target, scenario, rules);
    if (ready !== undefined) all.push(ready);
  }
  for (const ready of [unit, ...all]) await warmUp(ready, rules);
  for (let round = 1; round <= rules.rounds; round += 1) {
    for (const ready of [unit, ...all]) {
      rules.onStep(ready.target.name, `round ${round} of ${rules.rounds}`);
      ready.rounds.push(await measureShare(ready, rules, ready.share));
    }
  }
  unit.rounds.push(await measureShare(unit, rules, unit.share));
  for (const ready of rules.profile ? all : []) {
    rules.onStep(ready.target.name, 'profiling');
    await rules.profile?.(ready.target, scenario, () => measureShare(ready, rules));
  }
  return all.map((ready) => outcomeOf(ready, unit, rules));
};
