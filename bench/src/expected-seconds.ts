import type { Command } from './command-line.ts';
import { mostSecondsPerRound } from './run-scenario.ts';
import { logins, redemptions } from './scenarios/index.ts';
import type { Scenario } from './scenarios/scenario.ts';

/** The rate of a scenario on two cores, roughly, and the seconds of its preparation. */
type Expected = readonly [perSecond: number, readySeconds: number];

const expected: Readonly<Record<string, Expected>> = {
  ...Object.fromEntries(logins.map(({ name }): [string, Expected] => [name, [450, 1]])),
  // Each redemption needs a login before it.
  ...Object.fromEntries(redemptions.map(({ name }): [string, Expected] => [name, [350, 1]])),
  'client-credentials-100': [5_000, 6],
  'client-credentials-1000': [5_000, 45],
  'client-credentials-cold': [35, 1],
  'wrong-secrets': [70, 3],
  refresh: [1_500, 1],
  'refresh-jwt': [1_200, 1],
  'refresh-dpop': [1_000, 1],
  'refresh-resource': [1_200, 1],
  'create-client': [3_000, 0],
};

/** The rate of a scenario that repeats a cheap request. */
const usual: Expected = [7_500, 1];

/** The yardstick's requests beside each round. */
const yardstickSeconds = 0.6;

/** The warm-up takes as long as so many rounds. */
const warmUpRounds = 1;

const startSeconds = 3;

/**
 * A server of `--target` is expected to be slower than Carnet by as much as Ory Hydra 26.2 was in one run with it:
 * 47 times where a client authenticates with bcrypt at each request, 5 times otherwise.
 */
const slowdownOf = (scenario: string): number => (scenario.startsWith('client-credentials') ? 47 : 5);

type Planned = Pick<Command, 'stores' | 'foreign' | 'rounds' | 'perSecond' | 'isProfiled'>;

/** The seconds of one scenario on two cores, roughly. */
export const expectedScenarioSeconds = ({ name, amount }: Pick<Scenario, 'name' | 'amount'>, plan: Planned): number => {
  const { stores, foreign, perSecond: rate, isProfiled } = plan;
  const rounds = plan.rounds + warmUpRounds + (isProfiled ? 1 : 0);
  const [perSecond, readySeconds] = expected[name] ?? usual;
  const roundSecondsAt = (slowdown: number): number =>
    rate === undefined ? Math.min(mostSecondsPerRound, (amount * slowdown) / perSecond) : amount / rate;
  const secondsAt = (slowdown: number): number => readySeconds + rounds * roundSecondsAt(slowdown);
  return stores.length * secondsAt(1) + foreign.length * secondsAt(slowdownOf(name)) + rounds * yardstickSeconds;
};

/** The seconds of a run on two cores, roughly. */
export const expectedSeconds = (command: Planned & Pick<Command, 'scenarios'>): number =>
  command.scenarios.reduce(
    (sum, scenario) => sum + expectedScenarioSeconds(scenario, command),
    startSeconds * (command.stores.length + command.foreign.length),
  );
