// `npm run bench:failover-galera`: logins at a fixed rate on two machines of Carnet and three of MariaDB with Galera, of which nodes are lost.
import { galeraAccess, startGaleraCluster } from './galera-cluster.ts';
import { galeraPrograms, readGaleraVersions } from './install.ts';
import { createMachines } from './machines.ts';
import { runFailover } from './run-failover.ts';

await runFailover({
  titles: {
    quiet: 'no fault',
    kill: 'SIGKILL of the node that is written to',
    stop: 'SIGSTOP of the node that is written to',
    partition: 'partition of the node that is written to',
    standby: 'SIGSTOP of another node',
  },
  programs: galeraPrograms,
  readVersions: readGaleraVersions,
  createMachines: () => createMachines('db', 'mysql'),
  startDatabase: startGaleraCluster,
  openAccess: galeraAccess,
  mostSeconds: 2,
  out: 'bench-results/failover-galera',
});
