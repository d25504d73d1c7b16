import { startPostgres } from '@carnet/test-servers';
import {
  assumptions,
  defaultDeadShare,
  fastVacuumBytesPerSecond,
  vacuumBytesPerSecond,
} from '../growth/assumptions.ts';
import type { MeasuredCosts, OperationCost, OperationName } from '../growth/costs.ts';
import { operationNames } from '../growth/costs.ts';
import { type Assumptions, demandOn, type Forecast, forecast } from '../growth/forecast.ts';
import { measureOperation, type Server } from '../growth/measure-operations.ts';
import { measureTable } from '../growth/measure-table.ts';
import { currentPolicy, earlierPolicy, simulate } from '../growth/simulate.ts';
import {
  type Column,
  costTable,
  demandTable,
  kindTable,
  type SimulatedRow,
  short,
  simulationTable,
} from '../growth/tables.ts';
import { measureRound, yardstickOf } from '../measure.ts';
import { onDatabase } from '../postgres-counters.ts';
import { startYardstick } from '../targets/yardstick.ts';
import { note, type Study, say } from './study.ts';

const baseLogins = 2e9;
const factors = [1, 10, 100];
const days = 60;

interface Amounts {
  readonly logins: number;
  readonly rows: number;
}

const measure = async (server: Server, { logins, rows }: Amounts): Promise<MeasuredCosts> => {
  const operations = {} as Record<OperationName, OperationCost>;
  for (const name of operationNames) {
    note(name);
    operations[name] = await measureOperation(server, name, logins);
  }
  note(`a table of ${rows} rows`);
  const batches = Math.floor(rows / 4 / 1_000);
  return { operations, table: await measureTable(server, { rows, logins, batches }) };
};

/** CPU microseconds of an answer of the yardstick. */
const measureUnit = async (): Promise<number> => {
  const yardstick = await startYardstick();
  try {
    const scenario = yardstickOf({ connections: 64 });
    const work = await scenario.prepare(yardstick);
    await measureRound(yardstick, work, scenario);
    return (await measureRound(yardstick, work, scenario)).serverCpu;
  } finally {
    await yardstick.stop();
  }
};

/** Simulates one of the databases that the demand needs. */
const simulateShare = (costs: MeasuredCosts, given: Assumptions, title: string): readonly SimulatedRow[] => {
  const demand = forecast(costs, given);
  const databases = Math.max(1, Math.ceil(demandOn(demand, given.limits)[0]?.[1] ?? 1));
  const share = forecast(costs, { ...given, loginsPerMonth: given.loginsPerMonth / databases });
  const common = {
    kinds: share.kinds,
    days,
    peakFactor: given.peakFactor,
    processes: Math.ceil(demand.processes / databases),
    sweep: costs.table.sweep,
  };
  const variants = [
    { policy: earlierPolicy, deadShare: defaultDeadShare, speed: vacuumBytesPerSecond, vacuum: 'default vacuum' },
    { policy: currentPolicy, deadShare: defaultDeadShare, speed: vacuumBytesPerSecond, vacuum: 'default vacuum' },
    { policy: currentPolicy, deadShare: given.deadShare, speed: fastVacuumBytesPerSecond, vacuum: 'tuned vacuum' },
  ];
  return variants.map(({ policy, deadShare, speed, vacuum }) => ({
    title: `${title}, 1 of ${databases}, sweep ${policy.name}, ${vacuum}`,
    result: simulate({ ...common, policy, deadShare, vacuumBytesPerSecond: speed }),
  }));
};

const titleOf = (factor: number): string => `${short(factor * baseLogins, ['', '', '', 'billion'])} a month`;

const columnsOf = (costs: MeasuredCosts, extra: Partial<Assumptions> = {}): readonly Column[] =>
  factors.map((factor) => ({
    title: titleOf(factor),
    demand: forecast(costs, { ...assumptions, ...extra, loginsPerMonth: factor * baseLogins }),
  }));

/** What billions of logins a month need, computed from the measured cost of each operation. */
export const growth: Study = {
  name: 'growth',
  title: 'Rows, disk, log and processes for billions of logins a month (Postgres)',
  options: { logins: '2000', rows: '1000000' },
  async run({ logins, rows }) {
    const server = await startPostgres({
      settings: {
        shared_preload_libraries: 'pg_stat_statements',
        'pg_stat_statements.track': 'all',
        shared_buffers: '512MB',
        // Neither a checkpoint nor a vacuum of the server's own falls into a measurement.
        autovacuum: 'off',
        checkpoint_timeout: '1h',
        max_wal_size: '16GB',
      },
    });
    try {
      await onDatabase(server.url, (client) => client.query('create extension pg_stat_statements'));
      const costs = await measure(server, { logins: Number(logins), rows: Number(rows) });
      const { sweep } = costs.table;
      const unit = await measureUnit();
      say(
        `a unit: ${unit.toFixed(1)} us of CPU; a login: ${(costs.operations.login.carnetMicroseconds / unit).toFixed(0)} units`,
      );
      say(
        `a batch of the sweep: ${(1_000 * sweep.batchSeconds).toFixed(0)} ms; for each million removed rows in the index ${(1e9 * sweep.secondsPerDeadRow).toFixed(0)} ms more from the first entry\n`,
      );
      const columns = columnsOf(costs);
      const week = columnsOf(costs, { lifetimes: { grant: 604_800, refresh_token: 604_800 } });
      return {
        tables: [
          costTable(costs),
          kindTable((columns[0] as { demand: Forecast }).demand),
          demandTable(columns, assumptions.limits),
          [
            ['with ttl.refreshToken 7 d', ...week.map(({ title }) => title)],
            ...demandTable(week, assumptions.limits).slice(1),
          ],
          simulationTable(
            factors.flatMap((factor) =>
              simulateShare(costs, { ...assumptions, loginsPerMonth: factor * baseLogins }, titleOf(factor)),
            ),
          ),
        ],
      };
    } finally {
      await server.close();
    }
  },
};
