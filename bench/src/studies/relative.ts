import { type CryptoCost, measureCrypto } from '../measure-crypto.ts';
import { oneOf } from '../option-values.ts';
import { measureShare, prepare, type Ready } from '../run-scenario.ts';
import { type Compared, comparisons } from '../scenarios/comparisons.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { startCarnetTarget } from '../targets/carnet.ts';
import { parseTarget } from '../targets/foreign.ts';
import { startTarget } from '../targets/running.ts';
import { storeNames } from '../targets/stores.ts';
import type { Target } from '../targets/target.ts';
import { UsageError } from '../usage-error.ts';
import { relativeReadings, relativeTable } from './relative-table.ts';
import { note, type Study, type StudyArguments } from './study.ts';

const rules = { generator: 'own' } as const;

interface Choice extends Compared {
  readonly baseline: Scenario;
}

/** The chosen scenarios, each after its baseline, which is measured as well. */
const choose = (names: readonly string[]): readonly Choice[] => {
  const known = comparisons.flatMap(({ baseline, others }) => [baseline, ...others.map(({ scenario }) => scenario)]);
  for (const name of names) {
    if (known.some((scenario) => scenario.name === name)) continue;
    throw new UsageError(`"${name}" is not compared; compared are ${known.map((each) => each.name).join(', ')}`);
  }
  const isChosen = ({ name }: Scenario) => names.length === 0 || names.includes(name);
  return comparisons.flatMap(({ baseline, others }) => {
    const chosen = others.filter(({ scenario }) => isChosen(scenario));
    if (chosen.length === 0 && !isChosen(baseline)) return [];
    return [{ scenario: baseline }, ...chosen].map((each) => ({ ...each, baseline }));
  });
};

interface Cell extends Ready {
  readonly cpu: number[];
}

interface Servers {
  readonly targets: readonly Target[];
  /** The one of this clone; none with `--store none`. */
  readonly own: Target | undefined;
}

/** Another server may be unable to run a scenario: it is left out there, with a note. Ours must run all. */
const prepareCell = async (scenario: Scenario, target: Target, { own }: Servers): Promise<Cell | undefined> => {
  try {
    return { ...(await prepare(scenario, target)), cpu: [] };
  } catch (error) {
    if (target === own) throw error;
    note(`${scenario.name} cannot be run on ${target.name}: ${(error as Error).message.slice(0, 200)}`);
    return undefined;
  }
};

interface Plan {
  readonly rounds: number;
  /** The share of a scenario's requests in a round. */
  readonly share: number;
  /** No round begins after so many seconds, except the first few. */
  readonly mostSeconds: number;
}

/** Twice as long as the measured ones. */
const warmUpRounds = 2;
const leastRounds = 3;

/** Each round measures every scenario on every target, so that what else the machine does affects all alike. */
const measureRounds = async (cells: readonly Cell[], plan: Plan): Promise<readonly CryptoCost[]> => {
  const endsAt = performance.now() + plan.mostSeconds * 1_000;
  for (let round = 0; round < warmUpRounds; round += 1) {
    note(`warming up, ${round + 1} of ${warmUpRounds}`);
    for (const cell of cells) await measureShare(cell, rules, 2 * plan.share);
  }
  const crypto: CryptoCost[] = [];
  for (let round = 0; round < plan.rounds; round += 1) {
    if (round >= leastRounds && performance.now() > endsAt) {
      note(`stopped after ${round} rounds: the time is up`);
      break;
    }
    note(`round ${round + 1} of ${plan.rounds}`);
    crypto.push(measureCrypto());
    // Every second round in reverse: a trend within a round cancels.
    for (const cell of round % 2 === 0 ? cells : cells.toReversed()) {
      cell.cpu.push((await measureShare(cell, rules, plan.share)).serverCpu);
    }
  }
  return crypto;
};

/** `name=folder` */
const parseClone = (text: string): { readonly name: string; readonly clone: string } => {
  const [, name, clone] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || clone === undefined) throw new UsageError(`--clone ${text}: it takes NAME=FOLDER`);
  return { name, clone };
};

const startAll = async (
  { store = '', workers }: Readonly<Record<string, string>>,
  { repeated }: StudyArguments,
): Promise<Servers> => {
  const foreign = (repeated.target ?? []).map(parseTarget);
  const clones = (repeated.clone ?? []).map(parseClone);
  if (store === 'none') {
    if (clones.length > 0) throw new UsageError('--clone: a clone needs a store, not --store none');
    if (foreign.length === 0) throw new UsageError('--store none: give a --target to measure');
    return { targets: foreign, own: undefined };
  }
  const name = oneOf('store', store, storeNames);
  const start = (more: object) => startTarget(startCarnetTarget({ store: name, workers: Number(workers), ...more }));
  const others: Target[] = [];
  for (const clone of clones) others.push(await start(clone));
  const own = await start(clones.length > 0 ? { name: 'this' } : {});
  return { targets: [...others, own, ...foreign], own };
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
    const chosen = choose(more.scenarios);
    const rounds = Number(values.rounds);
    const servers = await startAll(values, more);
    const { targets, own } = servers;
    const rows: (Choice & { readonly cells: ReadonlyMap<Target, Cell> })[] = [];
    for (const choice of chosen) {
      const cells = new Map<Target, Cell>();
      for (const target of targets) {
        const cell = await prepareCell(choice.scenario, target, servers);
        if (cell !== undefined) cells.set(target, cell);
      }
      rows.push({ ...choice, cells });
    }
    const plan: Plan = more.isQuick
      ? { rounds: Math.ceil(rounds / 2), share: 0.07, mostSeconds: 180 }
      : { rounds, share: 0.25, mostSeconds: Number.POSITIVE_INFINITY };
    const crypto = await measureRounds(
      rows.flatMap(({ cells }) => [...cells.values()]),
      plan,
    );
    const measured = {
      targets,
      crypto,
      rows: rows.map(({ cells, ...row }) => ({
        ...row,
        cpu: new Map([...cells].map(([target, { cpu }]) => [target, cpu])),
      })),
    };
    return {
      tables: [relativeTable(measured)],
      readings: own === undefined ? [] : relativeReadings(measured, own),
    };
  },
};
