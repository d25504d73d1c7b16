import type { Command } from './command-line.ts';

/** What is reached of a scenario each second on two cores, roughly, and the seconds that making ready takes. */
type Expected = readonly [perSecond: number, readySeconds: number];

const expected: Readonly<Record<string, Expected>> = {
  login: [450, 1],
  'login-confidential': [450, 1],
  'login-returning': [300, 1],
  'login-returning-confidential': [300, 1],
  'client-credentials-100': [5_000, 6],
  'client-credentials-1000': [5_000, 45],
  'client-credentials-cold': [35, 1],
  'wrong-secrets': [70, 3],
  refresh: [1_500, 1],
  'refresh-jwt': [1_200, 1],
  'create-client': [3_000, 0],
};

/** Of a scenario that sends one cheap request after another. */
const usual: Expected = [7_500, 1];

/** The yardstick's 10,000 requests beside each round. */
const yardstickSeconds = 0.25;

/** Rounds of warming up, as long as so many of the others. */
const warmUpRounds = 0.75;

const startSeconds = 3;

/** How long a run takes on two cores, roughly. */
export const expectedSeconds = (
  command: Pick<Command, 'scenarios' | 'stores' | 'foreign' | 'rounds' | 'perSecond' | 'isProfiled'>,
): number => {
  const { scenarios, stores, foreign, perSecond: rate, isProfiled } = command;
  const targets = stores.length + foreign.length;
  const rounds = command.rounds + warmUpRounds + (isProfiled ? 1 : 0);
  const each = scenarios.map(({ name, amount }) => {
    const [perSecond, readySeconds] = expected[name] ?? usual;
    const roundSeconds = amount / (rate ?? perSecond);
    return targets * (readySeconds + rounds * roundSeconds) + rounds * yardstickSeconds;
  });
  return each.reduce((sum, seconds) => sum + seconds, startSeconds * targets);
};
