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

/** The parsed command line. */
export interface Command {
  readonly scenarios: readonly Scenario[];
  /** A Carnet is started for each. */
  readonly stores: readonly StoreName[];
  /** Servers that run already. */
  readonly foreign: readonly RunningTarget[];
  readonly workers: number;
  readonly rounds: number;
  readonly isQuick: boolean;
  readonly perSecond: number | undefined;
  readonly generator: Generator;
  /** Whether the results are compared with the targets of this project. */
  readonly withTargets: boolean;
  /** The folder of the report. */
  readonly out: string | undefined;
  /** Whether a sentence is written into README.md, and the figures into docs/concepts/performance.md. */
  readonly isForReadme: boolean;
  /** Whether one more round of each scenario is profiled. */
  readonly isProfiled: boolean;
  /** The folder of an earlier run, which is reported again without measuring. */
  readonly from: string | undefined;
  /** The command that repeats it. */
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
  targets: { type: 'boolean', default: false },
  target: { type: 'string', multiple: true, default: [] as string[] },
  out: { type: 'string' },
  readme: { type: 'boolean', default: false },
  from: { type: 'string' },
  profile: { type: 'boolean', default: false },
} as const;

const help = `pnpm bench [scenario ...] [option ...]

Starts Carnet with its store, measures each scenario in turns with a bare node:http server (the yardstick), and stops
everything at the end. Without names it runs all scenarios, which takes about a quarter of an hour. The headlines: login login-mounted
login-mix.

  --list             scenarios and studies. Studies are commands with options of their own: pnpm bench relative --help
  --store a,b        stores, one Carnet each, in turns: ${storeNames.join(', ')}; default postgres.
                     none: only the servers of --target. postgres, mysql and redis are started from the programs of this
                     machine (initdb and postgres, mariadbd, redis-server); memory and sqlite need none
  --workers N        processes of each Carnet (memory: always 1); default 2
  --rounds N         rounds of each scenario; default 5
  --quick            3 rounds of a quarter of the requests: to look at, not to quote
  --rate N           N requests begin each second; latency is measured from the time at which each was due.
                     Without it, each connection sends its next request when it has its answer
  --generator NAME   the sender of single requests: ${generators.join(', ')}; default own, autocannon to check it
  --target NAME=PUBLIC-URL,ADMIN-URL[,PID]
                     another server that serves the headless API, in turns with Carnet; may be given several times. With
                     its process id its CPU time is read
  --targets          compares the results with the targets of this project, which hold for its own two cores
  --out FOLDER       writes results.json and results.md
  --profile          adds a round of each scenario under a profiler: CPU profiles in the folder of --out; default
                     bench-results
  --readme           writes a sentence into README.md, and the figures into docs/concepts/performance.md
  --from FOLDER      measures nothing: reads the results.json of an earlier --out and writes the rest again

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
 * @returns help or a list, or the parsed command
 * @throws UsageError for an impossible command; the message names the possible ones
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
    // The documents name the targets.
    withTargets: values.targets || values.readme,
    out: out === undefined ? undefined : folderOf(out),
    isProfiled: values.profile,
    isForReadme: values.readme,
    from: values.from === undefined ? undefined : folderOf(values.from),
    text: ['npm run bench --', ...args].join(' '),
  };
};
