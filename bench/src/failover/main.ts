// `npm run bench:failover`: logins at a fixed rate on two machines of Carnet and three of Postgres, while parts of them fail.
import { startDatabaseCluster } from './database-cluster.ts';
import { primaryOf } from './faults.ts';
import { postgresPrograms, readPostgresVersions } from './install.ts';
import { createMachines } from './machines.ts';
import { postgresAccess } from './postgres-access.ts';
import { runFailover } from './run-failover.ts';

await runFailover({
  titles: {
    quiet: 'no fault',
    kill: 'SIGKILL of the primary, Patroni and etcd on its machine',
    stop: 'SIGSTOP of the same',
    partition: 'partition of the primary’s machine',
    standby: 'SIGSTOP of the synchronous standby, Patroni and etcd on its machine',
    pgbouncer: 'restart of each PgBouncer',
    roll: 'rolling restart of the four Carnet processes',
  },
  programs: postgresPrograms,
  readVersions: readPostgresVersions,
  createMachines: () => createMachines('pg', 'postgres'),
  startDatabase: startDatabaseCluster,
  openAccess: async (machines, database) => postgresAccess(machines, (await primaryOf(database)).machine),
  mostSeconds: 15,
  out: 'bench-results/failover',
});
