import { type CryptoCost, measureCrypto } from '../measure-crypto.ts';
import { oneOf } from '../option-values.ts';
import { measureShare, prepare, type Ready } from '../run-scenario.ts';
import { type Compared, comparisons } from '../scenarios/comparisons.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { median } from '../statistics.ts';
import { startCarnetTarget } from '../targets/carnet.ts';
import { parseTarget } from '../targets/foreign.ts';
import { startTarget } from '../targets/running.ts';
import { type StoreName, storeNames } from '../targets/stores.ts';
import type { Target } from '../targets/target.ts';
import { UsageError } from '../usage-error.ts';
import { note, type Reading, rounded, type Study, type StudyArguments, type Table } from './study.ts';

const rules = { generator: 'own' } as const;

/** CPU microseconds of the server's processes per request, one value per round. */
interface Cell extends Ready {
  readonly cpu: number[];
}

interface Row extends Compared {
  readonly baseline: Scenario;
  readonly cells: ReadonlyMap<Target, Cell>;
}

const isChosen = (names: readonly string[]) => (scenario: Scenario) =>
  names.length === 0 || names.includes(scenario.name);

/** The chosen scenarios, each after its baseline, which is measured as well. */
const choose = (names: readonly string[]): readonly (Compared & { readonly baseline: Scenario })[] => {
  const known = comparisons.flatMap(({ baseline, others }) => [baseline, ...others.map(({ scenario }) => scenario)]);
  for (const name of names) {
    if (known.some((scenario) => scenario.name === name)) continue;
    throw new UsageError(`"${name}" is not compared; compared are ${known.map((each) => each.name).join(', ')}`);
  }
  const wanted = isChosen(names);
  return comparisons.flatMap(({ baseline, others }) => {
    const chosen = others.filter(({ scenario }) => wanted(scenario));
    if (chosen.length === 0 && !wanted(baseline)) return [];
    return [{ scenario: baseline }, ...chosen].map((each) => ({ ...each, baseline }));
  });
};

/** Another server may be unable to run a scenario: it is left out there, with a note. Ours must run all. */
const tryPrepare = async (scenario: Scenario, target: Target, mayFail: boolean): Promise<Cell | undefined> => {
  try {
    return { ...(await prepare(scenario, target)), cpu: [] };
  } catch (error) {
    if (!mayFail) throw error;
    note(`${scenario.name} cannot be run on ${target.name}: ${(error as Error).message.slice(0, 200)}`);
    return undefined;
  }
};

/** Twice as long as the measured ones. */
const warmUpRounds = 2;

interface Plan {
  readonly rounds: number;
  /** Of a scenario's requests, per round. */
  readonly share: number;
}

/** Each round measures every scenario on every target, so that what else the machine does affects all alike. */
const measureRounds = async (rows: readonly Row[], { rounds, share }: Plan): Promise<void> => {
  const cells = rows.flatMap(({ cells }) => [...cells.values()]);
  for (let round = 0; round < warmUpRounds; round += 1) {
    note(`warming up, ${round + 1} of ${warmUpRounds}`);
    for (const cell of cells) await measureShare(cell, rules, 2 * share);
  }
  for (let round = 0; round < rounds; round += 1) {
    note(`round ${round + 1} of ${rounds}`);
    // In the other direction each second time: a trend within a round cancels.
    for (const cell of round % 2 === 0 ? cells : cells.toReversed()) {
      cell.cpu.push((await measureShare(cell, rules, share)).serverCpu);
    }
  }
};

/** Median of the quotients of each round. */
const quotient = (one: readonly number[], other: readonly number[], less = 0): number =>
  median(one.map((value, round) => (value - less) / (other[round] ?? Number.NaN)));

/** Half the distance between the quartiles of the quotients. */
const spread = (one: readonly number[], other: readonly number[]): number => {
  const sorted = one.map((value, round) => value / (other[round] ?? Number.NaN)).sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
  return (at(0.75) - at(0.25)) / 2;
};

const two = (value: number): string => (Number.isFinite(value) ? value.toFixed(2) : '-');

const tableOf = (rows: readonly Row[], targets: readonly Target[], crypto: CryptoCost): Table => {
  const cpuOf = (scenario: Scenario, target: Target): readonly number[] =>
    rows.find((row) => row.scenario === scenario)?.cells.get(target)?.cpu ?? [];
  const [first, ...others] = targets as readonly [Target, ...Target[]];
  const head = [
    'CPU of the server per request',
    ...targets.flatMap(({ name }) => [`${name}, us`, 'x plain', '+-', 'crypto aside']),
    ...others.map(({ name }) => `${name} / ${first.name}`),
  ];
  const cellsOf = ({ scenario, baseline, extra }: Row, target: Target): readonly string[] => {
    const cpu = cpuOf(scenario, target);
    const plain = cpuOf(baseline, target);
    if (scenario === baseline) return [rounded(median(cpu)) || '-', '1', '', ''];
    const aside = extra === undefined ? '' : two(quotient(cpu, plain, crypto[extra]));
    return [rounded(median(cpu)) || '-', two(quotient(cpu, plain)), two(spread(cpu, plain)), aside];
  };
  return [
    head,
    ...rows.map((row) => [
      row.scenario.name,
      ...targets.flatMap((target) => cellsOf(row, target)),
      ...others.map((target) => two(quotient(cpuOf(row.scenario, target), cpuOf(row.scenario, first)))),
    ]),
  ];
};

/** `name=folder` */
const parseClone = (text: string): { readonly name: string; readonly clone: string } => {
  const [, name, clone] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || clone === undefined) throw new UsageError(`--clone ${text}: it takes NAME=FOLDER`);
  return { name, clone };
};

interface Started {
  readonly targets: readonly Target[];
  readonly foreign: ReadonlySet<Target>;
}

const startAll = async (
  { store, workers }: Readonly<Record<string, string>>,
  { repeated }: StudyArguments,
): Promise<Started> => {
  const foreign = (repeated.target ?? []).map(parseTarget);
  const clones = (repeated.clone ?? []).map(parseClone);
  const name = store === 'none' ? undefined : oneOf('store', store ?? '', storeNames);
  if (name === undefined) {
    if (clones.length > 0) throw new UsageError('--clone: a clone needs a store, not --store none');
    if (foreign.length === 0) throw new UsageError('--store none: give a --target to measure');
    return { targets: foreign, foreign: new Set(foreign) };
  }
  const start = (more: object) =>
    startTarget(startCarnetTarget({ store: name satisfies StoreName, workers: Number(workers), ...more }));
  const started: Target[] = [];
  for (const clone of clones) started.push(await start(clone));
  started.push(await start({ name: clones.length > 0 ? 'this' : `carnet on ${name}` }));
  return { targets: [...started, ...foreign], foreign: new Set(foreign) };
};

export const relative: Study = {
  name: 'relative',
  title: 'CPU per login and token request, relative to the simplest of its kind',
  options: { store: 'postgres', workers: '2', rounds: '16' },
  repeated: {
    clone: 'NAME=FOLDER, another clone of this repository, beside this one',
    target: 'NAME=PUBLIC-URL,ADMIN-URL,PID, a server that runs already',
  },
  takesScenarios: true,
  async run(values, more) {
    const { scenarios, isQuick } = more;
    const chosen = choose(scenarios);
    const rounds = Math.ceil(Number(values.rounds) / (isQuick ? 2 : 1));
    const { targets, foreign } = await startAll(values, more);
    const rows: Row[] = [];
    for (const each of chosen) {
      const cells = new Map<Target, Cell>();
      for (const target of targets) {
        const cell = await tryPrepare(each.scenario, target, foreign.has(target));
        if (cell !== undefined) cells.set(target, cell);
      }
      rows.push({ ...each, cells });
    }
    await measureRounds(rows, { rounds, share: isQuick ? 0.07 : 0.25 });
    const crypto = measureCrypto();
    const readings: Reading[] = [];
    return { tables: [tableOf(rows, targets, crypto)], readings };
  },
};
