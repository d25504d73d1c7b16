// `npm run bench:failover`: logins at a fixed rate on two machines of Carnet and three of Postgres, while parts of them fail.
import { parseArgs } from 'node:util';
import { numberOf, someOf } from '../option-values.ts';
import { folderOf } from '../report/folder.ts';
import { startAppMachines } from './app-machines.ts';
import { startDatabaseCluster } from './database-cluster.ts';
import { faultNames, primaryOf } from './faults.ts';
import { installPrograms, postgresPrograms, readPostgresVersions } from './install.ts';
import { createMachines } from './machines.ts';
import { reasonAgainstPartition } from './partition.ts';
import { postgresAccess } from './postgres-access.ts';
import { runFailover, say } from './run-failover.ts';

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '100' },
    faults: { type: 'string', default: faultNames.join(',') },
    out: { type: 'string', default: 'bench-results/failover' },
  },
});

// What was started ends with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
installPrograms(postgresPrograms, say);
const wanted = someOf('faults', values.faults, faultNames);
const machines = createMachines('pg', 'postgres');
const reason = reasonAgainstPartition(machines.databases[0]);
const names = wanted.filter((name) => name !== 'partition' || reason === undefined);
const skipped = names.length < wanted.length ? [`Without the partition: ${reason}.`] : [];
say(`starting etcd, Patroni and Postgres below ${machines.folder}`);
const database = await startDatabaseCluster(machines);
try {
  say('starting HAProxy, PgBouncer and Carnet');
  const primary = await primaryOf(database);
  const apps = await startAppMachines(machines, postgresAccess(machines, primary.machine));
  try {
    await runFailover({
      surroundings: { database, apps },
      names,
      skipped,
      versions: readPostgresVersions(),
      rate: numberOf('rate', values.rate, 100),
      mostSeconds: 15,
      out: folderOf(values.out),
    });
  } finally {
    await apps.close();
  }
} finally {
  await database.close();
  if (process.exitCode === 0) machines.remove();
  else say(`the logs are below ${machines.folder}`);
}
