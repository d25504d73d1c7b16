import { rounded, type Table } from '../studies/study.ts';
import type { MeasuredCosts, OperationName } from './costs.ts';
import { demandOn, type Forecast, type Limits } from './forecast.ts';
import type { Simulation } from './simulate.ts';

/** A number with the largest unit that leaves at least one digit before the point. */
export const short = (value: number, units: readonly string[] = ['', 'k', 'M', 'G', 'T', 'P']): string => {
  const power = Math.max(0, Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  const scaled = value / 1_000 ** power;
  return `${scaled.toFixed(scaled >= 100 || Number.isInteger(scaled) ? 0 : 1)}${units[power] && ` ${units[power]}`}`;
};
const bytes = (value: number): string => short(value, ['B', 'KB', 'MB', 'GB', 'TB', 'PB']);
const count = (value: number): string => short(value, ['', 'thousand', 'million', 'billion', 'trillion']);

export const duration = (seconds: number): string => {
  if (seconds >= 86_400) return `${short(seconds / 86_400)} d`;
  return seconds >= 3_600 ? `${short(seconds / 3_600)} h` : `${short(seconds / 60)} min`;
};

export const costTable = ({ operations, table }: MeasuredCosts): Table => [
  ['measured, for each', 'statements', 'rows left', 'WAL, bytes', 'and images', 'Carnet, us', 'Postgres, us'],
  ...(Object.keys(operations) as OperationName[]).map((name) => {
    const { statements, rows, walBytes, carnetMicroseconds, postgresMicroseconds } = operations[name];
    return [
      name,
      statements.toFixed(2),
      rows.reduce((total, each) => total + each.count, 0).toFixed(2),
      rounded(walBytes),
      rows.length > 0 ? rounded(table.imageBytes) : '',
      rounded(carnetMicroseconds),
      rounded(postgresMicroseconds),
    ];
  }),
  ['removed row', '', '', rounded(table.sweep.walBytes), '', '', rounded(table.sweep.postgresMicroseconds)],
];

export const kindTable = (demand: Forecast): Table => [
  ['kind', 'lifetime', 'rows/s', 'rows alive', 'bytes a row', 'disk'],
  ...[...demand.kinds]
    .sort((one, other) => other.rowsAlive * other.bytesPerRow - one.rowsAlive * one.bytesPerRow)
    .map(({ kind, lifetimeSeconds, rowsPerSecond, rowsAlive, bytesPerRow }) => [
      kind,
      duration(lifetimeSeconds),
      short(rowsPerSecond),
      count(rowsAlive),
      rounded(bytesPerRow),
      bytes(rowsAlive * bytesPerRow),
    ]),
];

const names: Readonly<Record<keyof Limits, string>> = {
  diskBytes: 'disk',
  walBytesPerSecond: 'WAL',
  postgresCores: 'cores of Postgres',
  connections: 'connections',
};

export interface Column {
  readonly title: string;
  readonly demand: Forecast;
}

export const demandTable = (columns: readonly Column[], limits: Limits): Table => {
  const row = (title: string, of: (demand: Forecast) => string) => [title, ...columns.map(({ demand }) => of(demand))];
  const first = (demand: Forecast) => demandOn(demand, limits)[0] as readonly [keyof Limits, number];
  return [
    ['', ...columns.map(({ title }) => title)],
    row('logins/s, average', ({ loginsPerSecond }) => short(loginsPerSecond)),
    row('logins/s, peak', ({ peakLoginsPerSecond }) => short(peakLoginsPerSecond)),
    row('rows alive', ({ rowsAlive }) => count(rowsAlive)),
    row('rows removed/s', ({ rowsRemovedPerSecond }) => short(rowsRemovedPerSecond)),
    row('disk', ({ diskBytes }) => bytes(diskBytes)),
    row('WAL/s, peak', ({ walBytesPerSecond }) => bytes(walBytesPerSecond)),
    row('cores of Postgres, peak', ({ postgresCores }) => short(postgresCores)),
    row('cores of Carnet, peak', ({ carnetCores }) => short(carnetCores)),
    row('processes of Carnet', ({ processes }) => String(processes)),
    row('connections', ({ connections }) => String(connections)),
    row('reached first', (demand) => `${names[first(demand)[0]]}, ${first(demand)[1].toFixed(1)} times`),
    row('databases needed', (demand) => String(Math.max(1, Math.ceil(first(demand)[1])))),
  ];
};

export interface SimulatedRow {
  readonly title: string;
  readonly result: Simulation;
}

export const simulationTable = (rows: readonly SimulatedRow[]): Table => [
  ['each database, 60 days', 'rows alive', 'backlog', 'removed, not vacuumed', 'vacuums', 'disk', 'keeps up'],
  ...rows.map(({ title, result }) => [
    title,
    count(result.rowsAlive),
    count(result.backlog),
    count(result.deadRows),
    String(result.vacuums),
    bytes(result.diskBytes),
    result.keepsUp ? 'yes' : 'NO',
  ]),
];
