import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { publicClient, registerClient } from '../users/register-client.ts';
import { type FaultName, faults, type Surroundings } from './faults.ts';
import { openJourneys } from './journeys.ts';
import { audit, createLedger } from './ledger.ts';
import { startLoad } from './load.ts';
import { type FailoverResult, failoverMarkdown, isKept } from './report.ts';
import { type FailedRequest, type FaultTimes, figuresOf } from './timeline.ts';

export interface FailoverRun {
  readonly surroundings: Surroundings;
  readonly names: readonly FaultName[];
  /** Titles of faults of this database, where they differ. */
  readonly titles?: Readonly<Partial<Record<FaultName, string>>>;
  /** Faults that cannot be made here, with the reason. */
  readonly skipped: readonly string[];
  readonly versions: Readonly<Record<string, string>>;
  /** Logins per second. */
  readonly rate: number;
  /** How long logins may fail after another server takes commits. */
  readonly mostSeconds: number;
  /** The folder of the report. */
  readonly out: string;
}

export const say = (text: string): void =>
  void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

/** The times of each fault. Between two of them the deployment is whole. */
const runFaults = async ({ names, titles, surroundings }: FailoverRun): Promise<readonly FaultTimes[]> => {
  const times: { name: string; from: number; primaryReadyAt?: number }[] = [];
  for (const name of names) {
    const title = titles?.[name] ?? faults[name].title;
    say(title);
    const fault: { name: string; from: number; primaryReadyAt?: number } = {
      name: title,
      from: performance.now(),
    };
    times.push(fault);
    await faults[name].run(surroundings, () => {
      fault.primaryReadyAt = performance.now();
      say(`another primary after ${((fault.primaryReadyAt - fault.from) / 1_000).toFixed(1)} s`);
    });
    await faults.quiet.run();
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
    versions: run.versions,
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

/** Measures, writes the report, and sets the exit code. */
export const runFailover = async (run: FailoverRun): Promise<void> => {
  const result = await measure(run);
  write(result, run.out);
  process.exitCode = isKept(result, run.mostSeconds) ? 0 : 1;
};
