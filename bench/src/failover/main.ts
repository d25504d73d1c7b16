// `npm run bench:failover`: logins at a fixed rate on two machines of Carnet and three of Postgres, while parts of them fail.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { numberOf, someOf } from '../option-values.ts';
import { folderOf } from '../report/folder.ts';
import { publicClient, registerClient } from '../users/register-client.ts';
import { startAppMachines } from './app-machines.ts';
import { startDatabaseCluster } from './database-cluster.ts';
import { type FaultName, faultNames, faults, primaryOf, type Surroundings } from './faults.ts';
import { installPrograms, readVersions } from './install.ts';
import { openJourneys } from './journeys.ts';
import { audit, createLedger } from './ledger.ts';
import { startLoad } from './load.ts';
import { createMachines } from './machines.ts';
import { reasonAgainstPartition } from './partition.ts';
import { type FailoverResult, failoverMarkdown, isKept } from './report.ts';
import { type FailedRequest, type FaultTimes, figuresOf } from './timeline.ts';

const say = (text: string): void => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '100' },
    faults: { type: 'string', default: faultNames.join(',') },
    out: { type: 'string', default: 'bench-results/failover' },
  },
});
const rate = numberOf('rate', values.rate, 100);

/** The times of each fault. Between two of them the deployment is whole. */
const runFaults = async (names: readonly FaultName[], surroundings: Surroundings): Promise<readonly FaultTimes[]> => {
  const times: { name: string; from: number; primaryReadyAt?: number }[] = [];
  for (const name of names) {
    say(faults[name].title);
    const fault: { name: string; from: number; primaryReadyAt?: number } = {
      name: faults[name].title,
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

const measure = async (surroundings: Surroundings, names: readonly FaultName[], skipped: readonly string[]) => {
  const { endpoints } = surroundings.apps;
  const ledger = createLedger();
  const failures: FailedRequest[] = [];
  const journeys = openJourneys({
    endpoints,
    client: await registerClient(endpoints, publicClient),
    ledger,
    onFailure: ({ kind }) => failures.push({ at: performance.now(), kind }),
  });
  for (let warmUp = 0; warmUp < 20; warmUp += 1) await journeys.run('login');
  const load = startLoad(journeys, rate);
  const times = await runFaults(names, surroundings);
  await load.stop();
  say(`asking about ${ledger.active.size} tokens and ${ledger.revoked.size} revocations`);
  const result: FailoverResult = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} x ${cpus()[0]?.model}`,
    versions: readVersions(),
    loginsPerSecond: rate,
    faults: times.map((fault) => figuresOf({ attempts: load.attempts, failures }, fault)),
    skipped,
    audit: await audit(ledger, journeys.questions),
    codesWithUnknownOutcome: journeys.codesWithUnknownOutcome(),
    wrongAnswers: Object.fromEntries(load.wrong),
  };
  journeys.close();
  return result;
};

const write = (result: FailoverResult): void => {
  const out = folderOf(values.out);
  mkdirSync(out, { recursive: true });
  writeFileSync(`${out}/failover.json`, `${JSON.stringify(result, undefined, 2)}\n`);
  writeFileSync(`${out}/failover.md`, failoverMarkdown(result));
  process.stdout.write(failoverMarkdown(result));
};

// What was started ends with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
installPrograms(say);
const wanted = someOf('faults', values.faults, faultNames);
const machines = createMachines();
const reason = reasonAgainstPartition(machines.databases[0]);
const names = wanted.filter((name) => name !== 'partition' || reason === undefined);
const skipped = names.length < wanted.length ? [`Without the partition: ${reason}.`] : [];
say(`starting etcd, Patroni and Postgres below ${machines.folder}`);
const database = await startDatabaseCluster(machines);
try {
  say('starting HAProxy, PgBouncer and Carnet');
  const primary = await primaryOf(database);
  const apps = await startAppMachines(machines, primary.machine);
  try {
    const result = await measure({ database, apps }, names, skipped);
    write(result);
    process.exitCode = isKept(result) ? 0 : 1;
  } finally {
    await apps.close();
  }
} finally {
  await database.close();
  if (process.exitCode === 0) machines.remove();
  else say(`the logs are below ${machines.folder}`);
}
