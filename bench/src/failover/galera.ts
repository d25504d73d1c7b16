// `npm run bench:failover-galera`: logins at a fixed rate on two machines of Carnet and three of MariaDB with Galera, of which nodes are lost.
import { parseArgs } from 'node:util';
import { numberOf, someOf } from '../option-values.ts';
import { folderOf } from '../report/folder.ts';
import { startAppMachines } from './app-machines.ts';
import type { FaultName } from './faults.ts';
import { galeraAccess, startGaleraCluster } from './galera-cluster.ts';
import { galeraPrograms, installPrograms, readGaleraVersions } from './install.ts';
import { createMachines } from './machines.ts';
import { reasonAgainstPartition } from './partition.ts';
import { runFailover, say } from './run-failover.ts';

const titles = {
  quiet: 'no fault',
  kill: 'SIGKILL of the node that is written to',
  stop: 'SIGSTOP of the node that is written to',
  partition: 'partition of the node that is written to',
  standby: 'SIGSTOP of another node',
} as const satisfies Partial<Record<FaultName, string>>;
const faultNames = Object.keys(titles) as readonly (keyof typeof titles)[];

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '100' },
    faults: { type: 'string', default: faultNames.join(',') },
    out: { type: 'string', default: 'bench-results/failover-galera' },
  },
});

// What was started ends with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
installPrograms(galeraPrograms, say);
const wanted = someOf('faults', values.faults, faultNames);
const machines = createMachines('db', 'mysql');
const reason = reasonAgainstPartition(machines.databases[0]);
const names = wanted.filter((name) => name !== 'partition' || reason === undefined);
const skipped = names.length < wanted.length ? [`Without the partition: ${reason}.`] : [];
say(`starting MariaDB with Galera below ${machines.folder}`);
const database = await startGaleraCluster(machines);
try {
  say('starting HAProxy and Carnet');
  const apps = await startAppMachines(machines, galeraAccess(machines));
  try {
    await runFailover({
      surroundings: { database, apps },
      names,
      titles,
      skipped,
      versions: readGaleraVersions(),
      rate: numberOf('rate', values.rate, 100),
      mostSeconds: 2,
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
