import type { Verdict } from '../figures.ts';
import type { Outcome } from '../run-scenario.ts';
import { rounded } from '../studies/study.ts';

const share = (cpuMicroseconds: number, perSecond: number): string =>
  Number.isFinite(cpuMicroseconds) ? ((cpuMicroseconds * perSecond) / 1_000_000).toFixed(2) : '-';

const orDash = (value: number): string => rounded(value) || '-';

/** Heads and cells of the table of outcomes, the same in the terminal and in Markdown. */
const columns: readonly (readonly [string, (outcome: Outcome) => string])[] = [
  ['scenario', ({ scenario }) => scenario],
  ['on', ({ target }) => target],
  ['/s', ({ median }) => orDash(median.perSecond)],
  ['lowest', ({ lowest }) => orDash(lowest.perSecond)],
  ['highest', ({ highest }) => orDash(highest.perSecond)],
  ['p50', ({ median }) => orDash(median.p50)],
  ['p95', ({ median }) => orDash(median.p95)],
  ['p99', ({ median }) => orDash(median.p99)],
  ['cpu', ({ median }) => orDash(median.serverCpu)],
  ['store', ({ median }) => orDash(median.storeCpu)],
  ['load', ({ median }) => orDash(median.generatorCpu)],
  [
    'cores',
    ({ median: { serverCpu, storeCpu, generatorCpu, perSecond } }) =>
      [serverCpu, storeCpu, generatorCpu].map((cpu) => share(cpu, perSecond)).join('+'),
  ],
  // With a given rate, the time of one answer is unknown.
  ['units', (outcome) => (outcome.isRateGiven ? '-' : orDash(outcome.yardstick.perSecond / outcome.median.perSecond))],
  ['cpu units', ({ cpuUnits }) => orDash(cpuUnits)],
];

export const legend = `/s: median of the rounds, and the lowest and highest round. p50, p95, p99: milliseconds. cpu, store, load: CPU microseconds per
answer of the server's processes, its store's, and the load generator; cores: how many cores each of these three kept busy.
units: answers of the yardstick (bare node:http, 70 bytes) in the same time; cpu units: cpu divided by the yardstick's before and after it.`;

/** The line that is shown when a scenario has ended. */
export const outcomeLine = ({ scenario, target, median }: Outcome): string =>
  `  ${scenario}, ${target}: ${orDash(median.perSecond)} /s, p95 ${orDash(median.p95)} ms, cpu ${orDash(median.serverCpu)}`;

const barLength = 24;

/** A bar of the rate, at least one character long. */
const barOf = (rate: number, most: number): string =>
  Number.isFinite(rate) ? '█'.repeat(Math.max(1, Math.round((barLength * rate) / most))) : '';

/** Throughput, as a plot and as a number, and p95, which most readers want to know first. The first three columns are text. */
export const rateRows = (outcomes: readonly Outcome[]): readonly (readonly string[])[] => {
  const most = Math.max(...outcomes.map(({ median }) => median.perSecond).filter(Number.isFinite));
  return [
    ['scenario', 'on', '', 'per second', 'p95 in ms'],
    ...outcomes.map(({ scenario, target, median: { perSecond, p95 } }) => [
      scenario,
      target,
      barOf(perSecond, most),
      orDash(perSecond),
      orDash(p95),
    ]),
  ];
};

export const outcomeRows = (outcomes: readonly Outcome[]): readonly (readonly string[])[] => [
  columns.map(([head]) => head),
  ...outcomes.map((outcome) => columns.map(([, cell]) => cell(outcome))),
];

export const verdictRows = (verdicts: readonly Verdict[]): readonly (readonly string[])[] => [
  ['figure', 'on', 'measured', 'must', '', 'aim', ''],
  ...verdicts.map(({ scenario, target, measured, unit, must, isMet, aim, isAimReached }) => [
    scenario,
    target,
    `${measured >= 1_000 ? Math.round(measured).toLocaleString('en') : measured.toFixed(2)} ${unit}`,
    must,
    isMet ? 'met' : 'NOT MET',
    aim,
    isAimReached ? 'reached' : 'not yet',
  ]),
];
