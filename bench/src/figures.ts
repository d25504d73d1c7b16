import type { Outcome } from './run-scenario.ts';
import { comparisons } from './scenarios/comparisons.ts';
import type { Reading } from './studies/study.ts';
import type { StoreName } from './targets/stores.ts';

/**
 * How a figure is computed from an outcome, and which side of its bound is good. Speed is stated against the yardstick of the
 * same rounds, so that a figure is met or missed alike on every machine.
 */
const measures = {
  /** Answers of the yardstick in the time of one. */
  units: {
    unit: 'units',
    isBetter: 'lower',
    of: ({ median, yardstick }: Outcome) => yardstick.perSecond / median.perSecond,
  },
  share: {
    unit: '% of the yardstick',
    isBetter: 'higher',
    of: ({ median, yardstick }: Outcome) => (100 * median.perSecond) / yardstick.perSecond,
  },
  cpuUnits: {
    unit: 'CPU units',
    isBetter: 'lower',
    of: ({ cpuUnits }: Outcome) => cpuUnits,
  },
  tail: { unit: 'times p50', isBetter: 'lower', of: ({ median }: Outcome) => median.p95 / median.p50 },
} as const;

type Measure = keyof typeof measures;

interface Bound {
  readonly measure: Measure;
  readonly value: number;
}

interface Figure {
  readonly scenario: string;
  readonly store: StoreName;
  readonly must: Bound;
  readonly aim: Bound;
}

const figure = (
  scenario: string,
  measure: Measure,
  [must, aim]: readonly [number, number],
  store: StoreName = 'postgres',
): Figure => ({
  scenario,
  store,
  must: { measure, value: must },
  aim: { measure, value: aim },
});

/** The promises of Carnet with server, store and load generator on two cores, and its goals. */
const figures: readonly Figure[] = [
  figure('login', 'cpuUnits', [75, 50]),
  figure('login', 'units', [80, 40]),
  figure('login-mounted', 'cpuUnits', [50, 40]),
  figure('login-mix', 'cpuUnits', [75, 50]),
  figure('login-mix', 'units', [100, 50]),
  figure('login-confidential', 'units', [85, 45]),
  figure('introspection', 'share', [15, 30]),
  figure('introspection', 'share', [20, 35], 'memory'),
  figure('client-credentials', 'share', [12, 30]),
  figure('fetch-client', 'share', [36, 75]),
  figure('list-clients', 'share', [20, 60]),
  ...['discovery', 'jwks'].map(
    (scenario): Figure => ({
      scenario,
      store: 'postgres',
      must: { measure: 'share', value: 60 },
      aim: { measure: 'cpuUnits', value: 1.5 },
    }),
  ),
  figure('accept-login', 'cpuUnits', [3, 2]),
  figure('accept-consent', 'cpuUnits', [3, 2]),
];

/** p95 is at most so many times p50 under 100 connections, for every scenario. */
const tail = { connections: 100, most: 3 };

export interface Verdict {
  readonly scenario: string;
  readonly target: string;
  readonly unit: string;
  readonly measured: number;
  readonly must: string;
  readonly isMet: boolean;
  readonly aim: string;
  readonly isAimReached: boolean;
}

/** The unit of a value, and which side of a bound is good. */
interface Scale {
  readonly unit: string;
  readonly isBetter: 'higher' | 'lower';
}

const reaches = ({ isBetter }: Scale, measured: number, bound: number): boolean =>
  isBetter === 'higher' ? measured >= bound : measured <= bound;

const saying = ({ isBetter, unit }: Scale, bound: number): string =>
  `${isBetter === 'higher' ? 'at least' : 'at most'} ${bound.toLocaleString('en')} ${unit}`;

const holds = (outcome: Outcome, { measure, value }: Bound): boolean =>
  reaches(measures[measure], measures[measure].of(outcome), value);

const verdictOf = (outcome: Outcome, must: Bound, aim: Bound): Verdict => ({
  scenario: outcome.scenario,
  target: outcome.target,
  unit: measures[must.measure].unit,
  measured: measures[must.measure].of(outcome),
  must: saying(measures[must.measure], must.value),
  isMet: holds(outcome, must),
  aim: saying(measures[aim.measure], aim.value),
  isAimReached: holds(outcome, aim),
});

const tailOf = (outcome: Outcome): Verdict => {
  const bound: Bound = { measure: 'tail', value: tail.most };
  return { ...verdictOf(outcome, bound, bound), scenario: `longest tail: ${outcome.scenario}` };
};

const hydra = 'hydra';
const onPostgres: StoreName = 'postgres';
/** The CPU time of Ory Hydra for a login, divided by that of Carnet in the same rounds. */
const hydraRatio = { must: 7, aim: 10 };

/** The verdict on a value whose bounds have its own scale. */
const verdictOn = (
  value: Pick<Verdict, 'scenario' | 'target' | 'measured'>,
  scale: Scale,
  { must, aim }: { readonly must: number; readonly aim: number },
): Verdict => ({
  ...value,
  unit: scale.unit,
  must: saying(scale, must),
  isMet: reaches(scale, value.measured, must),
  aim: saying(scale, aim),
  isAimReached: reaches(scale, value.measured, aim),
});

const besideHydra = ({ scenario, target, median }: Outcome, theirs: Outcome): Verdict => {
  const measured = theirs.median.serverCpu / median.serverCpu;
  const value = { scenario: `${scenario}: CPU of Ory Hydra`, target, measured };
  return verdictOn(value, { unit: 'times Carnet', isBetter: 'higher' }, hydraRatio);
};

/** Each kind of login that both have done, where Hydra runs beside Carnet as the target `hydra`. */
const hydraVerdicts = (ours: readonly Outcome[], all: readonly Outcome[]): readonly Verdict[] =>
  ours
    .filter(({ scenario }) => scenario.startsWith('login'))
    .flatMap((outcome) =>
      all
        .filter(({ target, scenario }) => target === hydra && scenario === outcome.scenario)
        .filter(({ median }) => Number.isFinite(median.serverCpu))
        .map((theirs) => besideHydra(outcome, theirs)),
    );

/**
 * The figures that were measured, and whether they are met.
 *
 * @param storeOf the store of our own target of that name; `undefined` for other servers, for which there are no promises
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
  const onDatabase = ours.filter(({ target }) => storeOf(target) === onPostgres);
  return [...measured, ...worst.map(tailOf), ...hydraVerdicts(onDatabase, outcomes)];
};

interface StudyFigure {
  readonly name: string;
  readonly unit: string;
  readonly must: number;
  readonly aim: number;
}

/** The name of the reading for a scenario whose CPU time is compared with that of the simplest of its kind. */
export const relativeName = (scenario: string): string => `CPU of ${scenario}`;

/** The promises for readings of the studies: each is at most so much. */
const studyFigures: readonly StudyFigure[] = [
  { name: 'event-loop delay, p99, 200 wrong secrets', unit: 'ms', must: 50, aim: 10 },
  { name: 'resident memory of a worker', unit: 'MB', must: 150, aim: 110 },
  { name: 'resident memory of a worker with many issuers', unit: 'MB', must: 600, aim: 400 },
  { name: 'CPU of a login at one of many issuers', unit: 'times one issuer', must: 1.15, aim: 1.05 },
  { name: 'start to ready', unit: 'times a bare server', must: 17, aim: 6 },
  { name: 'p95 of others, 200 wrong passwords', unit: 'times quiet', must: 2, aim: 1.2 },
  { name: 'connections kept', unit: '% of the naive request', must: 20, aim: 15 },
  { name: 'user cache filled', unit: '% of the naive request', must: 10, aim: 7 },
  { name: 'tokens signed remotely', unit: '% below the possible rate', must: 20, aim: 10 },
  ...comparisons.flatMap(({ baseline, others }) =>
    others.map(({ scenario }) => ({
      name: relativeName(scenario.name),
      unit: `times ${baseline.name}`,
      must: 1.25,
      aim: 1.1,
    })),
  ),
];

/** @throws TypeError for a reading that no figure is promised for */
export const judgeReadings = (readings: readonly Reading[]): readonly Verdict[] =>
  readings.map(({ name, target, value }) => {
    const promised = studyFigures.find((figure) => figure.name === name);
    if (promised === undefined) throw new TypeError(`no figure is promised for "${name}"`);
    const scale: Scale = { unit: promised.unit, isBetter: 'lower' };
    return verdictOn({ scenario: name, target, measured: value }, scale, promised);
  });

/** The verdicts of both; where both have a figure, the later one. */
export const joinVerdicts = (earlier: readonly Verdict[], later: readonly Verdict[]): readonly Verdict[] => [
  ...new Map([...earlier, ...later].map((each) => [`${each.scenario} ${each.target} ${each.must}`, each])).values(),
];
