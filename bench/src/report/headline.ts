import type { Outcome } from '../run-scenario.ts';
import type { Results } from './results.ts';

/** The scenarios of the line, with the noun of their rate. */
const rates: readonly (readonly [scenario: string, noun: string])[] = [
  ['login', 'logins'],
  ['introspection', 'introspections'],
  ['client-credentials', 'tokens by client credentials'],
];

const perSecond = ({ median }: Outcome): string => Number(median.perSecond.toPrecision(2)).toLocaleString('en');

/** The factor between the rates of two servers, cut to two significant digits: never more than was measured. */
const factor = (ours: Outcome, theirs: Outcome): string => {
  const value = ours.median.perSecond / theirs.median.perSecond;
  return value >= 10 ? String(Math.floor(value)) : (Math.floor(value * 10) / 10).toFixed(1);
};

/**
 * One sentence on a run: the rates of the first server and, with a second one in the run, how many times its rates they are.
 * A rate that was given by `--rate` is left out.
 */
export const headlineOf = ({ outcomes, targets, machine }: Results): string => {
  const [first, other] = targets.map(({ name }) => name);
  const found = (scenario: string, target: string | undefined) =>
    outcomes.find((each) => each.scenario === scenario && each.target === target && !each.isRateGiven);
  const parts = rates.flatMap(([scenario, noun]) => {
    const ours = found(scenario, first);
    if (ours === undefined) return [];
    const theirs = found(scenario, other);
    const times = theirs === undefined ? '' : ` (${factor(ours, theirs)} times ${other})`;
    return [`${perSecond(ours)} ${noun}${times}`];
  });
  return `Per second, on ${machine.cores} cores that ${first} and the load generator share: ${parts.join(', ')}.`;
};
