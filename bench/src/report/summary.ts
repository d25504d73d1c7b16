import type { Outcome } from '../run-scenario.ts';
import type { Table } from '../studies/study.ts';
import type { Results } from './results.ts';

/** In the order of the summary. */
const headlines = [
  'login',
  'login-mounted',
  'login-mix',
  'login-offline',
  'login-returning',
  'refresh',
  'client-credentials',
  'introspection',
  'list-clients',
  'fetch-client',
];

/** Two significant digits: more would vary from run to run. */
const short = (value: number): string =>
  Number.isFinite(value) ? Number(value.toPrecision(2)).toLocaleString('en') : '-';

const unitsOf = ({ median, yardstick }: Outcome): number => yardstick.perSecond / median.perSecond;

/**
 * A few scenarios, and on each server the answers of the yardstick in the time of one; with several servers, the CPU time of
 * each other server divided by that of the first. Empty for a rate that was asked for.
 */
export const summaryRows = ({ outcomes, targets: started }: Pick<Results, 'outcomes' | 'targets'>): Table => {
  const names = [...new Set([...started.map(({ name }) => name), ...outcomes.map(({ target }) => target)])];
  const targets = names.filter((name) => outcomes.some(({ target }) => target === name));
  const [first = '', ...rest] = targets;
  const found = (scenario: string, target: string) =>
    outcomes.find((outcome) => outcome.scenario === scenario && outcome.target === target && !outcome.isRateGiven);
  // A target may have no scenario in common with the first: an app in which Carnet is mounted.
  const others = rest.filter((target) =>
    headlines.some((scenario) => found(scenario, first) && found(scenario, target)),
  );
  const ratioOf = (scenario: string, target: string): number => {
    const [ours, theirs] = [found(scenario, first), found(scenario, target)];
    return ours && theirs ? theirs.median.serverCpu / ours.median.serverCpu : Number.NaN;
  };
  const rows = headlines.flatMap((scenario) => {
    const title = outcomes.find((outcome) => outcome.scenario === scenario)?.title;
    if (title === undefined) return [];
    const units = targets.map((target) => {
      const outcome = found(scenario, target);
      return outcome ? short(unitsOf(outcome)) : '-';
    });
    return [[title, ...units, ...others.map((target) => short(ratioOf(scenario, target)))]];
  });
  return rows.length === 0 ? [] : [['', ...targets, ...others.map((target) => `CPU, ${target} / ${first}`)], ...rows];
};
