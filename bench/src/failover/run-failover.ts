import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { numberOf, someOf } from '../option-values.ts';
import { folderOf } from '../report/folder.ts';
import { explain } from '../usage-error.ts';
import { publicClient, registerClient } from '../users/register-client.ts';
import { type DatabaseAccess, startAppMachines } from './app-machines.ts';
import type { DatabaseCluster } from './database-cluster.ts';
import { type FaultName, faults, type Surroundings } from './faults.ts';
import { installPrograms, type Programs } from './install.ts';
import { openJourneys } from './journeys.ts';
import { audit, createLedger } from './ledger.ts';
import { startLoad } from './load.ts';
import type { Machines } from './machines.ts';
import { reasonAgainstPartition } from './partition.ts';
import { type FailoverResult, failoverMarkdown, isKept } from './report.ts';
import { type FailedRequest, type FaultTimes, figuresOf } from './timeline.ts';

/** A database, and how Carnet uses it. */
export interface FailoverSetup {
  /** The faults of this database. */
  readonly titles: Readonly<Partial<Record<FaultName, string>>>;
  readonly programs: Programs;
  readVersions(): Readonly<Record<string, string>>;
  createMachines(): Machines;
  startDatabase(machines: Machines): Promise<DatabaseCluster>;
  openAccess(machines: Machines, database: DatabaseCluster): DatabaseAccess | Promise<DatabaseAccess>;
  /** How long logins may fail after another server takes commits. */
  readonly mostSeconds: number;
  /** The folder of the report, unless `--out` names another one. */
  readonly out: string;
}

interface FailoverRun extends Pick<FailoverSetup, 'titles' | 'readVersions'> {
  readonly surroundings: Surroundings;
  readonly names: readonly FaultName[];
  /** Faults that cannot be made here, with the reason. */
  readonly skipped: readonly string[];
  /** Logins per second. */
  readonly rate: number;
}

const say = (text: string): void => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

/** The times of each fault. Between two of them the deployment is whole. */
const runFaults = async ({ names, titles, surroundings }: FailoverRun): Promise<readonly FaultTimes[]> => {
  const times: { name: string; from: number; primaryReadyAt?: number }[] = [];
  for (const name of names) {
    const title = titles[name] ?? name;
    say(title);
    const fault: { name: string; from: number; primaryReadyAt?: number } = {
      name: title,
      from: performance.now(),
    };
    times.push(fault);
    await faults[name](surroundings, () => {
      fault.primaryReadyAt = performance.now();
      say(`another primary after ${((fault.primaryReadyAt - fault.from) / 1_000).toFixed(1)} s`);
    });
    await faults.quiet();
  }
  const end = performance.now();
  return times.map((each, index) => ({ ...each, to: times[index + 1]?.from ?? end }));
};

/** Runs logins at a fixed rate while the faults occur, and audits what was acknowledged. */
const measure = async (run: FailoverRun): Promise<FailoverResult> => {
  const { endpoints } = run.surroundings.apps;
  const ledger = createLedger();
  const failures: FailedRequest[] = [];
  const journeys = openJourneys({
    endpoints,
    client: await registerClient(endpoints, publicClient),
    ledger,
    onFailure: ({ kind }) => failures.push({ at: performance.now(), kind }),
  });
  for (let warmUp = 0; warmUp < 20; warmUp += 1) await journeys.run('login');
  const load = startLoad(journeys, run.rate);
  const times = await runFaults(run);
  await load.stop();
  say(`asking about ${ledger.active.size} tokens and ${ledger.revoked.size} revocations`);
  const result = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} x ${cpus()[0]?.model}`,
    versions: run.readVersions(),
    loginsPerSecond: run.rate,
    faults: times.map((fault) => figuresOf({ attempts: load.attempts, failures }, fault)),
    skipped: run.skipped,
    audit: await audit(ledger, journeys.questions),
    codesWithUnknownOutcome: journeys.codesWithUnknownOutcome(),
    wrongAnswers: Object.fromEntries(load.wrong),
  };
  journeys.close();
  return result;
};

const write = (result: FailoverResult, out: string): void => {
  mkdirSync(out, { recursive: true });
  writeFileSync(`${out}/failover.json`, `${JSON.stringify(result, undefined, 2)}\n`);
  writeFileSync(`${out}/failover.md`, failoverMarkdown(result));
  process.stdout.write(failoverMarkdown(result));
};

/** The faults that can be made here, of those that are wanted. */
const chooseFaults = (wanted: readonly FaultName[], { databases }: Machines) => {
  const reason = reasonAgainstPartition(databases[0]);
  const names = wanted.filter((name) => name !== 'partition' || reason === undefined);
  return { names, skipped: names.length < wanted.length ? [`Without the partition: ${reason}.`] : [] };
};

const helpOf = ({ titles, out }: FailoverSetup): string => `Loses parts of a deployment under a fixed rate of logins.

  --rate N        logins a second. Default 100
  --faults A,B    the faults, in this order: ${Object.keys(titles).join(', ')}. Default: all
  --out FOLDER    the folder of the report. Default ${out}
`;

const run = async (setup: FailoverSetup): Promise<void> => {
  const { titles, mostSeconds, readVersions } = setup;
  const faultNames = Object.keys(titles) as readonly FaultName[];
  const { values } = parseArgs({
    options: {
      rate: { type: 'string', default: '100' },
      faults: { type: 'string', default: faultNames.join(',') },
      out: { type: 'string', default: setup.out },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return void process.stdout.write(helpOf(setup));
  const wanted = someOf('faults', values.faults, faultNames);
  const rate = numberOf('rate', values.rate, 100);
  // What was started ends with this process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  installPrograms(setup.programs, say);
  const machines = setup.createMachines();
  const chosen = chooseFaults(wanted, machines);
  say(`starting the database below ${machines.folder}`);
  const database = await setup.startDatabase(machines);
  try {
    say('starting the proxies and Carnet');
    const apps = await startAppMachines(machines, await setup.openAccess(machines, database));
    try {
      const result = await measure({ surroundings: { database, apps }, ...chosen, titles, readVersions, rate });
      write(result, folderOf(values.out));
      process.exitCode = isKept(result, mostSeconds) ? 0 : 1;
    } finally {
      await apps.close();
    }
  } finally {
    await database.close();
    if (process.exitCode === 0) machines.remove();
    else say(`the logs are below ${machines.folder}`);
  }
};

/** Starts the database and Carnet, measures, writes the report, and sets the exit code. */
export const runFailover = async (setup: FailoverSetup): Promise<void> => {
  try {
    await run(setup);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${explain(error)}\n`);
  }
};
