import { relativeName } from '../figures.ts';
import type { CryptoCost } from '../measure-crypto.ts';
import type { Compared } from '../scenarios/comparisons.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { median } from '../statistics.ts';
import type { Target } from '../targets/target.ts';
import { type Reading, rounded, type Table } from './study.ts';

/** CPU microseconds of the server's processes per request, one value per round. */
export type Rounds = readonly number[];

export interface Row extends Compared {
  readonly baseline: Scenario;
  /** A server that cannot run the scenario has none. */
  readonly cpu: ReadonlyMap<Target, Rounds>;
}

export interface Measured {
  readonly rows: readonly Row[];
  readonly targets: readonly Target[];
  /** One value per round. */
  readonly crypto: readonly CryptoCost[];
}

/** The quotients of each round. */
const quotients = (one: Rounds, other: Rounds, less: Rounds = []): Rounds =>
  one.map((value, round) => (value - (less[round] ?? 0)) / (other[round] ?? Number.NaN));

/** Half the distance between the quartiles. */
const spread = (values: Rounds): number => {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
  return (at(0.75) - at(0.25)) / 2;
};

const two = (value: number): string => (Number.isFinite(value) ? value.toFixed(2) : '-');

const cpuOf = ({ rows }: Measured, scenario: Scenario, target: Target): Rounds =>
  rows.find((row) => row.scenario === scenario)?.cpu.get(target) ?? [];

/** Relative to the baseline on the same server, without the cryptography that the baseline does not need. */
const withoutExtra = (measured: Measured, { scenario, baseline, extra }: Row, target: Target): number => {
  const less = extra === undefined ? [] : measured.crypto.map((cost) => cost[extra]);
  return median(quotients(cpuOf(measured, scenario, target), cpuOf(measured, baseline, target), less));
};

const cellsOf = (measured: Measured, row: Row, target: Target): readonly string[] => {
  const cpu = cpuOf(measured, row.scenario, target);
  const microseconds = rounded(median(cpu)) || '-';
  if (row.scenario === row.baseline) return [microseconds, '1', '', ''];
  const relative = quotients(cpu, cpuOf(measured, row.baseline, target));
  const aside = row.extra === undefined ? '' : two(withoutExtra(measured, row, target));
  return [microseconds, two(median(relative)), two(spread(relative)), aside];
};

export const relativeTable = (measured: Measured): Table => {
  const { rows, targets } = measured;
  const [first, ...others] = targets as readonly [Target, ...Target[]];
  const head = [
    'CPU of the server per request',
    ...targets.flatMap(({ name }) => [`${name}, us`, 'x plain', '+-', 'crypto aside']),
    ...others.flatMap(({ name }) => [`${name} / ${first.name}`, '+-']),
  ];
  const besideFirst = ({ scenario }: Row, target: Target): readonly string[] => {
    const beside = quotients(cpuOf(measured, scenario, target), cpuOf(measured, scenario, first));
    return [two(median(beside)), two(spread(beside))];
  };
  return [
    head,
    ...rows.map((row) => [
      row.scenario.name,
      ...targets.flatMap((target) => cellsOf(measured, row, target)),
      ...others.flatMap((target) => besideFirst(row, target)),
    ]),
  ];
};

/** The readings of one server, for the figures. */
export const relativeReadings = (measured: Measured, target: Target): readonly Reading[] =>
  measured.rows
    .filter(({ scenario, baseline }) => scenario !== baseline)
    .map((row) => ({
      name: relativeName(row.scenario.name),
      target: target.name,
      value: withoutExtra(measured, row, target),
    }))
    .filter(({ value }) => Number.isFinite(value));
