import { parseArgs } from 'node:util';
import { type Generator, generators } from './load/run-load.ts';
import { numberOf, oneOf, someOf } from './option-values.ts';
import { folderOf } from './report/folder.ts';
import { scenarios } from './scenarios/index.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { studies } from './studies/index.ts';
import { parseTarget } from './targets/foreign.ts';
import { type StoreName, storeNames } from './targets/stores.ts';
import type { RunningTarget } from './targets/target.ts';
import { UsageError } from './usage-error.ts';

/** What the bench is asked to do. */
export interface Command {
  readonly scenarios: readonly Scenario[];
  /** One Carnet is started for each. */
  readonly stores: readonly StoreName[];
  /** Servers of others. */
  readonly foreign: readonly RunningTarget[];
  readonly workers: number;
  readonly rounds: number;
  readonly isQuick: boolean;
  readonly perSecond: number | undefined;
  readonly generator: Generator;
  /** Where the report goes. */
  readonly out: string | undefined;
  /** Whether chart and figures go into README.md and docs/performance.md. */
  readonly isForReadme: boolean;
  /** Whether one more round of each is profiled. */
  readonly isProfiled: boolean;
  /** The folder of an earlier run, to be reported again without measuring. */
  readonly from: string | undefined;
  /** What repeats it. */
  readonly text: string;
}

const options = {
  help: { type: 'boolean', short: 'h' },
  list: { type: 'boolean' },
  store: { type: 'string', default: 'postgres' },
  workers: { type: 'string', default: '2' },
  rounds: { type: 'string', default: '5' },
  quick: { type: 'boolean', default: false },
  rate: { type: 'string' },
  generator: { type: 'string', default: 'own' },
  target: { type: 'string', multiple: true, default: [] as string[] },
  out: { type: 'string' },
  readme: { type: 'boolean', default: false },
  from: { type: 'string' },
  profile: { type: 'boolean', default: false },
} as const;

const help = `pnpm bench [scenario ...] [option ...]

Starts Carnet with its store, measures each scenario in turn with a bare node:http server (the yardstick), and stops what it
has started. Without names, all scenarios are run: that takes about ten minutes.

  --list             the scenarios, and the studies: commands of their own, with options of their own: pnpm bench matrix --help
  --store a,b        stores, one Carnet each, in turns: ${storeNames.join(', ')}; default postgres.
                     none: only the servers of --target
  --workers N        processes of each Carnet (memory: always 1); default 2
  --rounds N         rounds of each scenario; default 5
  --quick            3 rounds of a quarter of the requests: to look, not to quote
  --rate N           N each second, begun whether or not the ones before have ended; latency counts from when each was due.
                     Without it each connection sends its next request when it has its answer
  --generator NAME   what sends single requests: ${generators.join(', ')}; default own, autocannon to check it
  --target NAME=PUBLIC-URL,ADMIN-URL[,PID]
                     another server that speaks the headless API, in turns with ours; may be given several times. With the
                     id of its process its CPU time is read
  --out FOLDER       results.json, results.md, report.html and charts
  --profile          one more round of each scenario under a profiler: CPU profiles, flame graphs and tables of self time in
                     the folder of --out; default bench-results
  --readme           chart and figures into README.md and docs/performance.md
  --from FOLDER      measures nothing: takes the results.json of an earlier --out, and writes the rest again

  pnpm bench login introspection --store memory,postgres --rounds 3
`;

const listed = (): string => {
  const lines = (all: readonly { name: string; title: string }[]) =>
    all.map(({ name, title }) => `  ${name.padEnd(30)}${title}`).join('\n');
  return `scenarios\n${lines(scenarios)}\nstudies\n${lines(studies)}\n`;
};

const scenariosOf = (names: readonly string[]): readonly Scenario[] => {
  for (const name of names) {
    if (!scenarios.some((scenario) => scenario.name === name)) {
      throw new UsageError(`there is no scenario "${name}"; pnpm bench --list says which there are`);
    }
  }
  return names.length === 0 ? scenarios : scenarios.filter(({ name }) => names.includes(name));
};

const quickly = (scenario: Scenario): Scenario => ({ ...scenario, amount: Math.ceil(scenario.amount / 4) });

/**
 * @returns text that is all that was asked for, or what is to be done
 * @throws UsageError for what cannot be done, saying what can
 */
export const parseCommand = (args: readonly string[]): Command | string => {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.help) return help;
  if (values.list) return listed();
  const foreign = values.target.map(parseTarget);
  const stores = values.store === 'none' ? [] : someOf('store', values.store, storeNames);
  if (values.readme && (values.quick || values.rate !== undefined)) {
    throw new UsageError('--readme: neither with --quick nor with --rate, which are not to be quoted');
  }
  if (stores.length + foreign.length === 0) throw new UsageError('--store none: give a --target to measure');
  const chosen = scenariosOf(positionals);
  const out = values.out ?? (values.profile ? 'bench-results' : undefined);
  return {
    scenarios: values.quick ? chosen.map(quickly) : chosen,
    stores,
    foreign,
    workers: numberOf('workers', values.workers, 64),
    rounds: values.quick ? 3 : numberOf('rounds', values.rounds, 100),
    isQuick: values.quick,
    perSecond: values.rate === undefined ? undefined : numberOf('rate', values.rate, 1_000_000),
    generator: oneOf('generator', values.generator, generators),
    out: out === undefined ? undefined : folderOf(out),
    isProfiled: values.profile,
    isForReadme: values.readme,
    from: values.from === undefined ? undefined : folderOf(values.from),
    text: ['npm run bench --', ...args].join(' '),
  };
};
