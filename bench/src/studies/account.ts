import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MeasuredRound, yardstickOf } from '../measure.ts';
import { someOf } from '../option-values.ts';
import { sharesOfParts } from '../profiles/parts.ts';
import { openProfiler, type Profiler } from '../profiles/record.ts';
import { measureShare, prepare, type Ready } from '../run-scenario.ts';
import { scenarios as allScenarios } from '../scenarios/index.ts';
import { login, loginMix } from '../scenarios/logins.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { median } from '../statistics.ts';
import { startCarnetTarget } from '../targets/carnet.ts';
import { startTarget } from '../targets/running.ts';
import type { StoreName } from '../targets/stores.ts';
import type { Target } from '../targets/target.ts';
import { startYardstick } from '../targets/yardstick.ts';
import { type Journey, openLogins } from '../users/logins.ts';
import { publicClient, registerClient } from '../users/register-client.ts';
import { note, rounded, type Study, type Table } from './study.ts';

const rules = { generator: 'own' } as const;
const scenarios: ReadonlyMap<string, Scenario> = new Map(allScenarios.map((each) => [each.name, each]));

/** One request of a login, alone, and each time of another login: the steps before it are done before the round. */
const stepAlone = (name: string): Scenario => ({
  name,
  title: name,
  // Each takes the steps before it, too.
  amount: login.amount / 3,
  connections: login.connections,
  async prepare(target) {
    const logins = openLogins(target, await registerClient(target, publicClient), login.connections);
    const waiting: Journey[] = [];
    const prepareOne = async (): Promise<void> => void waiting.push(await logins.before(name));
    return {
      kind: 'journeys',
      async renew(amount) {
        while (waiting.length < amount) {
          await Promise.all(Array.from({ length: login.connections }, prepareOne));
        }
      },
      run: async () => logins.steps.get(name)?.(waiting.pop() as Journey),
    };
  },
});

interface Row {
  readonly name: string;
  /** CPU units of each round, by server. */
  readonly units: ReadonlyMap<Target, number[]>;
}

interface Servers {
  /** Two: the first is the unit. Both at once show what an answer costs when they share the machine. */
  readonly yardsticks: readonly [Target, Target];
  readonly targets: readonly Target[];
}

interface Measured {
  readonly rows: readonly Row[];
  /** CPU units of an answer of the yardstick while another yardstick is as busy. */
  readonly shared: number;
}

/** Measures the yardstick and each scenario on each server in turn in every round. */
const measureUnits = async (
  measured: readonly Scenario[],
  { yardsticks, targets }: Servers,
  rounds: number,
): Promise<Measured> => {
  const bare = yardstickOf(measured.at(-1) ?? login);
  const [unit, other] = [await prepare(bare, yardsticks[0]), await prepare(bare, yardsticks[1])];
  const shared: number[] = [];
  const cells: (Ready & { readonly units: number[] })[] = [];
  for (const scenario of measured) {
    for (const target of targets) cells.push({ ...(await prepare(scenario, target)), units: [] });
  }
  const cpu = async (ready: Ready): Promise<MeasuredRound['serverCpu']> => (await measureShare(ready, rules)).serverCpu;
  note('warming up');
  for (const cell of [unit, other, ...cells]) await cpu(cell);
  for (let round = 1; round <= rounds; round += 1) {
    note(`round ${round} of ${rounds}`);
    const ofUnit = await cpu(unit);
    shared.push(median(await Promise.all([unit, other].map(cpu))) / ofUnit);
    for (const cell of round % 2 === 0 ? cells.toReversed() : cells) cell.units.push((await cpu(cell)) / ofUnit);
  }
  const rows = measured.map(({ name }) => ({
    name,
    units: new Map(cells.filter(({ scenario }) => scenario.name === name).map(({ target, units }) => [target, units])),
  }));
  return { rows, shared: median(shared) };
};

const unitsOf = (row: Row | undefined, target: Target): number => median(row?.units.get(target) ?? []);

/** One row for each scenario, and the sum of the steps of a login. */
const unitTable = ({ rows, shared }: Measured, targets: readonly Target[], stepNames: readonly string[]): Table => {
  const cells = (row: Row): readonly string[] => [row.name, ...targets.map((target) => rounded(unitsOf(row, target)))];
  const steps = rows.filter(({ name }) => stepNames.includes(name));
  const sum = (target: Target): number => steps.reduce((total, row) => total + unitsOf(row, target), 0);
  const whole = rows.find(({ name }) => name === login.name);
  const sums = [
    ['sum of the steps', ...targets.map((target) => rounded(sum(target)))],
    ['login - sum', ...targets.map((target) => rounded(unitsOf(whole, target) - sum(target)))],
  ];
  return [
    ['CPU units', ...targets.map(({ name }) => name)],
    ...rows.map(cells),
    ...(steps.length > 0 ? sums : []),
    ['a yardstick beside another', ...targets.map((_, index) => (index === 0 ? shared.toFixed(2) : ''))],
  ];
};

/** The CPU units of each part of the scenarios, from a profile. */
const partTable = async (
  profiled: readonly Scenario[],
  {
    rows,
    targets,
    profiler,
  }: { readonly rows: readonly Row[]; readonly targets: readonly Target[]; readonly profiler: Profiler },
): Promise<Table> => {
  const columns: { readonly title: string; readonly units: number; readonly shares: ReadonlyMap<string, number> }[] =
    [];
  for (const scenario of profiled) {
    for (const target of targets) {
      const ready = await prepare(scenario, target);
      await measureShare(ready, rules);
      const root = await profiler.record({ target, scenario: scenario.name }, () => measureShare(ready, rules));
      const units = unitsOf(
        rows.find(({ name }) => name === scenario.name),
        target,
      );
      columns.push({ title: `${scenario.name}, ${target.name}`, units, shares: sharesOfParts(root) });
    }
  }
  const names = [...new Set(columns.flatMap(({ shares }) => [...shares.keys()]))];
  const cell = (units: number, share = 0): string => `${rounded(units * share)} (${(100 * share).toFixed(0)} %)`;
  return [
    ['CPU units, and share', ...columns.map(({ title }) => title)],
    ...names.map((name) => [name, ...columns.map(({ units, shares }) => cell(units, shares.get(name)))]),
  ];
};

/**
 * Shows where the CPU time of a login is spent: by request, each alone and all together, and by part of the code. For other
 * scenarios, only by part of the code.
 */
export const account: Study = {
  name: 'account',
  title:
    'CPU units of a login: its eight requests alone, the whole login, and the parts of the code; or of other scenarios, by --of',
  options: { rounds: '6', of: 'login' },
  async run({ rounds, of = '' }) {
    const names = someOf('of', of, [...scenarios.keys()]);
    const whole = of === login.name ? [login, loginMix] : names.flatMap((name) => scenarios.get(name) ?? []);
    const profiler = openProfiler(mkdtempSync(join(tmpdir(), 'carnet-account-')));
    try {
      const { nodeOptions } = profiler;
      const yardsticks = [await startTarget(startYardstick()), await startTarget(startYardstick())] as const;
      const start = (store: StoreName, workers: number): Promise<Target> => {
        const name = `${store}, ${workers} worker${workers > 1 ? 's' : ''}`;
        return startTarget(startCarnetTarget({ store, workers, nodeOptions, name }));
      };
      const first = await start('memory', 1);
      const targets = [first, await start('postgres', 1), await start('postgres', 2)];
      const { steps } = openLogins(first, await registerClient(first, publicClient), 1);
      const stepNames = of === login.name ? [...steps.keys()] : [];
      const all = [...stepNames.map(stepAlone), ...whole];
      const measured = await measureUnits(all, { yardsticks, targets }, Number(rounds));
      const parts = await partTable(whole, { rows: measured.rows, targets, profiler });
      return { tables: [unitTable(measured, targets, stepNames), parts] };
    } finally {
      profiler.close();
    }
  },
};
