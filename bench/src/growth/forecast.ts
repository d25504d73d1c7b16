import type { MeasuredCosts, OperationName } from './costs.ts';

const secondsPerMonth = 30 * 86_400;

/** The operations for each completed login. */
export type Mix = Readonly<Record<OperationName, number>>;

/** The limits of one database. Assumptions, not measurements. */
export interface Limits {
  readonly diskBytes: number;
  readonly walBytesPerSecond: number;
  readonly postgresCores: number;
  readonly connections: number;
}

export interface Assumptions {
  readonly loginsPerMonth: number;
  /** Load in the busiest minute of the day, relative to the average. */
  readonly peakFactor: number;
  readonly mix: Mix;
  /** Removed rows that wait for the vacuum, relative to the rows alive: `autovacuum_vacuum_scale_factor`. */
  readonly deadShare: number;
  /** The share of a core that a process of Carnet uses at the peak. */
  readonly busyShare: number;
  readonly poolSize: number;
  readonly limits: Limits;
  /** Lifetimes in seconds that replace the measured ones, by kind. */
  readonly lifetimes?: Readonly<Record<string, number>>;
}

/** Rows of a kind, written at the same rate all the time. */
export interface KindForecast {
  readonly kind: string;
  readonly rowsPerSecond: number;
  readonly lifetimeSeconds: number;
  readonly rowsAlive: number;
  readonly bytesPerRow: number;
}

export interface Forecast {
  readonly loginsPerSecond: number;
  readonly peakLoginsPerSecond: number;
  readonly kinds: readonly KindForecast[];
  readonly rowsAlive: number;
  /** Heap and indexes, with removed rows that wait for the vacuum. */
  readonly diskBytes: number;
  /** At the peak; the sweep follows at the average. */
  readonly walBytesPerSecond: number;
  readonly postgresCores: number;
  readonly carnetCores: number;
  readonly processes: number;
  readonly connections: number;
  readonly rowsRemovedPerSecond: number;
}

const listedBySubject: ReadonlySet<string> = new Set(['grant', 'session', 'consent']);

const forecastKinds = (costs: MeasuredCosts, assumptions: Assumptions, loginsPerSecond: number) => {
  const kinds = new Map<string, KindForecast>();
  for (const [name, perLogin] of Object.entries(assumptions.mix) as [OperationName, number][]) {
    for (const { kind, count, lifetimeSeconds, heapBytes } of costs.operations[name].rows) {
      // Operations that write a kind with different lifetimes: a client credentials token expires like any access token.
      const key = `${kind} ${lifetimeSeconds}`;
      const lifetime = assumptions.lifetimes?.[kind] ?? lifetimeSeconds;
      const rowsPerSecond = count * perLogin * loginsPerSecond + (kinds.get(key)?.rowsPerSecond ?? 0);
      const { indexBytes, subjectIndexBytes } = costs.table;
      kinds.set(key, {
        kind,
        rowsPerSecond,
        lifetimeSeconds: lifetime,
        rowsAlive: rowsPerSecond * lifetime,
        bytesPerRow: heapBytes + indexBytes + (listedBySubject.has(kind) ? subjectIndexBytes : 0),
      });
    }
  }
  return [...kinds.values()].filter(({ rowsPerSecond }) => rowsPerSecond > 0);
};

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

/** The sum over the mix of a cost of each operation. */
const perLogin = ({ operations }: MeasuredCosts, mix: Mix, of: (name: OperationName) => number): number =>
  sum(Object.keys(operations) as OperationName[], (name) => mix[name] * of(name));

/** Computes the demand of so many logins a month. */
export const forecast = (costs: MeasuredCosts, assumptions: Assumptions): Forecast => {
  const { mix, peakFactor, deadShare, busyShare, poolSize } = assumptions;
  const { operations, table } = costs;
  const loginsPerSecond = assumptions.loginsPerMonth / secondsPerMonth;
  const peak = loginsPerSecond * peakFactor;
  const kinds = forecastKinds(costs, assumptions, loginsPerSecond);
  const rowsRemovedPerSecond = sum(kinds, (kind) => kind.rowsPerSecond);
  const walPerLogin = perLogin(costs, mix, (name) => {
    const writes = operations[name].rows.length > 0;
    return writes ? operations[name].walBytes + table.imageBytes : 0;
  });
  const carnetCores = (peak * perLogin(costs, mix, (name) => operations[name].carnetMicroseconds)) / 1e6;
  const processes = Math.ceil(carnetCores / busyShare);
  return {
    loginsPerSecond,
    peakLoginsPerSecond: peak,
    kinds,
    rowsAlive: sum(kinds, ({ rowsAlive }) => rowsAlive),
    diskBytes: sum(kinds, ({ rowsAlive, bytesPerRow }) => rowsAlive * bytesPerRow) * (1 + deadShare),
    walBytesPerSecond: peak * walPerLogin + rowsRemovedPerSecond * table.sweep.walBytes,
    postgresCores:
      (peak * perLogin(costs, mix, (name) => operations[name].postgresMicroseconds) +
        rowsRemovedPerSecond * table.sweep.postgresMicroseconds) /
      1e6,
    carnetCores,
    processes,
    connections: processes * poolSize,
    rowsRemovedPerSecond,
  };
};

/** How often each limit of one database is needed, the largest first: the first is reached first. */
export const demandOn = (demand: Forecast, limits: Limits): readonly (readonly [keyof Limits, number])[] =>
  (Object.keys(limits) as (keyof Limits)[])
    .map((name) => [name, demand[name] / limits[name]] as const)
    .sort(([, one], [, other]) => other - one);
