import type { Outcome } from './run-scenario.ts';
import type { Reading } from './studies/study.ts';
import type { StoreName } from './targets/stores.ts';

/** How a figure is read off an outcome, and which side of its bound is good. */
const measures = {
  perSecond: { unit: '/s', isBetter: 'higher', of: ({ median }: Outcome) => median.perSecond },
  serverCpuMs: { unit: 'ms CPU', isBetter: 'lower', of: ({ median }: Outcome) => median.serverCpu / 1_000 },
  cpuUnits: {
    unit: 'units',
    isBetter: 'lower',
    of: ({ median, yardstick }: Outcome) => median.serverCpu / yardstick.serverCpu,
  },
  tail: { unit: 'times p50', isBetter: 'lower', of: ({ median }: Outcome) => median.p95 / median.p50 },
} as const;

export type Measure = keyof typeof measures;

interface Bound {
  readonly measure: Measure;
  readonly value: number;
}

export interface Figure {
  readonly scenario: string;
  readonly store: StoreName;
  readonly must: Bound;
  readonly aim: Bound;
}

const figure = (
  scenario: string,
  measure: Measure,
  [must, aim]: readonly [number, number],
  store: StoreName,
): Figure => ({
  scenario,
  store,
  must: { measure, value: must },
  aim: { measure, value: aim },
});

/** What Carnet promises on two cores with everything on one machine, and what it aims at. */
const figures: readonly Figure[] = [
  figure('login', 'perSecond', [400, 1_090], 'postgres'),
  figure('login', 'serverCpuMs', [2.2, 0.8], 'postgres'),
  figure('login-confidential', 'perSecond', [350, 1_000], 'postgres'),
  figure('introspection', 'perSecond', [10_000, 25_000], 'postgres'),
  figure('introspection', 'perSecond', [12_000, 25_000], 'memory'),
  figure('client-credentials', 'perSecond', [3_500, 5_000], 'postgres'),
  figure('fetch-client', 'perSecond', [15_000, 20_000], 'postgres'),
  figure('list-clients', 'perSecond', [10_000, 15_000], 'postgres'),
  ...['discovery', 'jwks'].map(
    (scenario): Figure => ({
      scenario,
      store: 'postgres',
      must: { measure: 'perSecond', value: 30_000 },
      aim: { measure: 'cpuUnits', value: 1.5 },
    }),
  ),
  figure('accept-login', 'cpuUnits', [3, 2], 'postgres'),
  figure('accept-consent', 'cpuUnits', [3, 2], 'postgres'),
];

/** p95 is no worse than so many times p50 under 100 connections, whatever is asked. */
const tail = { connections: 100, most: 3 };

export interface Verdict {
  readonly scenario: string;
  readonly target: string;
  readonly unit: string;
  readonly measured: number;
  readonly mustValue: number;
  readonly isHigherBetter: boolean;
  readonly must: string;
  readonly isMet: boolean;
  readonly aim: string;
  readonly isAimReached: boolean;
}

const holds = (outcome: Outcome, { measure, value }: Bound): boolean => {
  const { isBetter, of } = measures[measure];
  return isBetter === 'higher' ? of(outcome) >= value : of(outcome) <= value;
};

const saying = ({ measure, value }: Bound): string => {
  const { isBetter, unit } = measures[measure];
  return `${isBetter === 'higher' ? 'at least' : 'at most'} ${value.toLocaleString('en')} ${unit}`;
};

const verdictOf = (outcome: Outcome, must: Bound, aim: Bound): Verdict => ({
  scenario: outcome.scenario,
  target: outcome.target,
  unit: measures[must.measure].unit,
  measured: measures[must.measure].of(outcome),
  mustValue: must.value,
  isHigherBetter: measures[must.measure].isBetter === 'higher',
  must: saying(must),
  isMet: holds(outcome, must),
  aim: saying(aim),
  isAimReached: holds(outcome, aim),
});

const tailOf = (outcome: Outcome): Verdict => {
  const bound: Bound = { measure: 'tail', value: tail.most };
  return { ...verdictOf(outcome, bound, bound), scenario: `longest tail: ${outcome.scenario}` };
};

/**
 * What of the figures was measured, and whether it was reached.
 *
 * @param storeOf the store of our own target of that name; `undefined` for other servers: nothing was promised for them
 */
export const judge = (
  outcomes: readonly Outcome[],
  storeOf: (target: string) => StoreName | undefined,
): readonly Verdict[] => {
  const ours = outcomes.filter(({ target }) => storeOf(target) !== undefined);
  const measured = figures.flatMap(({ scenario, store, must, aim }) =>
    ours
      .filter((outcome) => outcome.scenario === scenario && storeOf(outcome.target) === store)
      .map((outcome) => verdictOf(outcome, must, aim)),
  );
  const crowded = ours.filter(({ connections }) => connections === tail.connections);
  const worst = crowded.toSorted((one, other) => measures.tail.of(other) - measures.tail.of(one)).slice(0, 1);
  return [...measured, ...worst.map(tailOf)];
};

interface StudyFigure {
  readonly name: string;
  readonly unit: string;
  readonly must: number;
  readonly aim: number;
}

/** What is promised of readings of the studies: each at most so much. */
const studyFigures: readonly StudyFigure[] = [
  { name: 'event-loop delay, p99, 200 wrong secrets', unit: 'ms', must: 50, aim: 10 },
  { name: 'resident memory of a worker', unit: 'MB', must: 150, aim: 110 },
  { name: 'start to ready', unit: 's', must: 1, aim: 0.5 },
];

/** @throws TypeError for a reading that no figure is promised for */
export const judgeReadings = (readings: readonly Reading[]): readonly Verdict[] =>
  readings.map(({ name, target, value }) => {
    const promised = studyFigures.find((figure) => figure.name === name);
    if (promised === undefined) throw new TypeError(`no figure is promised for "${name}"`);
    const { unit, must, aim } = promised;
    return {
      scenario: name,
      target,
      unit,
      measured: value,
      mustValue: must,
      isHigherBetter: false,
      must: `at most ${must} ${unit}`,
      isMet: value <= must,
      aim: `at most ${aim} ${unit}`,
      isAimReached: value <= aim,
    };
  });

/** All of both; of the same figure the one that was found later. */
export const joinVerdicts = (earlier: readonly Verdict[], later: readonly Verdict[]): readonly Verdict[] => [
  ...new Map([...earlier, ...later].map((each) => [`${each.scenario} ${each.target} ${each.must}`, each])).values(),
];
