import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { signalFamily, waitUntil } from '@carnet/test-servers';
import type { DatabaseAccess } from './app-machines.ts';
import { createDaemon } from './daemon.ts';
import { carnetPassword, type DatabaseCluster, type DatabaseNode } from './database-cluster.ts';
import type { Machine, Machines } from './machines.ts';
import { writeTemplate } from './templates.ts';

const nodeCheck = fileURLToPath(new URL('../../../deploy/mariadb-galera/node-check', import.meta.url));
const run = promisify(execFile);

const socketOf = ({ folder }: Machine): string => join(folder, 'run', 'mysqld.sock');

/** Sends a statement as the user of the server, which needs no password. Returns the rows as lines. */
const administer = async (machine: Machine, statement: string): Promise<string> => {
  const args = ['--no-defaults', `--socket=${socketOf(machine)}`, '--user=mysql', '--skip-column-names'];
  const options = { ...machine.owner, cwd: '/', timeout: 5_000, killSignal: 'SIGKILL' as const };
  return (await run('/usr/bin/mariadb', [...args, `--execute=${statement}`], options)).stdout;
};

const placesOf = ({ databases, apps }: Machines): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(databases.map(({ address }, index) => [`MARIADB_${index + 1}`, address])),
  ...Object.fromEntries(apps.map(({ address }, index) => [`CARNET_${index + 1}`, address])),
});

const createNode = (machines: Machines, machine: Machine) => {
  const { address, name, folder, owner } = machine;
  const config = writeTemplate(machine, 'mariadb-galera/galera.cnf', {
    ...placesOf(machines),
    NAME: name,
    ADDRESS: address,
    DATA_FOLDER: join(folder, 'data'),
    RUN_FOLDER: join(folder, 'run'),
  });
  const create = (title: string, args: readonly string[], command = '/bin/sh') =>
    createDaemon({ name: `${title} on ${name}`, command, args, logFile: join(folder, 'mariadb.log'), owner });
  const server = `exec /usr/sbin/mariadbd --defaults-file=${config}`;
  // As the unit of systemd does: a node that crashed tells the others where it stopped.
  const joining = create('MariaDB', ['-c', `${server} $(/usr/bin/galera_recovery --defaults-file=${config})`]);
  const founding = create('the first MariaDB', ['-c', `${server} --wsrep-new-cluster`]);
  const check = create(
    'node-check',
    [`TCP-LISTEN:9200,bind=${address},reuseaddr,fork`, `EXEC:${nodeCheck} ${socketOf(machine)}`],
    '/usr/bin/socat',
  );
  const signalAll = (signal: NodeJS.Signals): void => {
    for (const each of [joining, check].filter((daemon) => daemon.isRunning())) signalFamily(each.pid(), signal);
  };
  const node: DatabaseNode = {
    machine,
    async kill() {
      signalAll('SIGKILL');
      await Promise.all([joining, check].map((each) => each.end('SIGKILL')));
    },
    start() {
      for (const each of [joining, check]) each.start();
    },
    stop: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
  };
  const isWhole = async (size: number): Promise<boolean> => {
    const names = "('wsrep_ready', 'wsrep_cluster_size', 'wsrep_local_state_comment')";
    const text = await administer(machine, `show status where variable_name in ${names}`);
    return ['ON', `${size}`, 'Synced'].every((value) => text.includes(`\t${value}\n`));
  };
  return { node, founding, joining, isWhole, config };
};

type Node = ReturnType<typeof createNode>;

const createData = ({ config, node: { machine } }: Node): void =>
  void execFileSync(
    '/usr/bin/mariadb-install-db',
    [`--defaults-file=${config}`, '--wsrep-on=OFF', '--auth-root-socket-user=mysql', '--skip-test-db'],
    { ...machine.owner, cwd: '/', stdio: 'ignore' },
  );

const startup = { withinSeconds: 180, pollMs: 100 };

/** The first node founds the cluster, the others copy its data. Then the first one joins the others as they would. */
const found = async (nodes: readonly Node[]): Promise<void> => {
  const [first, ...others] = nodes as [Node, ...Node[]];
  createData(first);
  first.founding.start();
  await waitUntil('first node', () => first.isWhole(1), startup);
  for (const [index, other] of others.entries()) {
    other.node.start();
    await waitUntil('further node', () => other.isWhole(index + 2), startup);
  }
  await first.founding.end('SIGTERM');
  first.node.start();
};

const askWriter = async ({ address }: Machine): Promise<string> => {
  const args = ['--no-defaults', `--host=${address}`, '--port=3307', '--user=carnet', '--skip-column-names'];
  const statement = 'delete from carnet_record where 1 = 0; select @@wsrep_node_name';
  const { stdout } = await run('/usr/bin/mariadb', [...args, 'carnet', `--execute=${statement}`], {
    env: { ...process.env, MYSQL_PWD: carnetPassword },
    timeout: 2_000,
    killSignal: 'SIGKILL',
  });
  return stdout.trim();
};

/** Starts MariaDB with Galera on three machines. */
export const startGaleraCluster = async (machines: Machines): Promise<DatabaseCluster> => {
  const created = machines.databases.map((machine) => createNode(machines, machine));
  const nodes = created.map(({ node }) => node);
  /** The node that HAProxy of the first machine leads to. */
  const findPrimary = async (except?: DatabaseNode): Promise<DatabaseNode | undefined> => {
    const name = await askWriter(machines.apps[0]).catch(() => undefined);
    return nodes.find((node) => node.machine.name === name && node !== except);
  };
  const untilWhole = () =>
    waitUntil(
      'cluster of three nodes',
      async () => (await Promise.all(created.map(({ isWhole }) => isWhole(nodes.length)))).every(Boolean),
      startup,
    );
  const close = async () => {
    for (const node of nodes) node.resume();
    await Promise.all(created.flatMap(({ joining, founding }) => [joining.end('SIGTERM'), founding.end('SIGTERM')]));
    for (const node of nodes) await node.kill();
  };
  try {
    await found(created);
    await untilWhole();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    nodes,
    findPrimary,
    async findSynchronous() {
      const primary = await findPrimary();
      return nodes.find((node) => node !== primary);
    },
    untilWhole,
    close,
  };
};

/** Through HAProxy. */
export const galeraAccess = (machines: Machines): DatabaseAccess => ({
  startProxies(machine) {
    const { address, folder, name, owner } = machine;
    const config = writeTemplate(machine, 'mariadb-galera/haproxy.cfg', { ...placesOf(machines), ADDRESS: address });
    const haproxy = createDaemon({
      name: `HAProxy on ${name}`,
      command: '/usr/sbin/haproxy',
      args: ['-db', '-f', config],
      logFile: join(folder, 'haproxy.log'),
      owner,
    });
    haproxy.start();
    return [haproxy];
  },
  async create() {
    const [first] = machines.databases;
    await administer(first, 'create database carnet');
    await administer(first, `create user carnet@'127.0.0.%' identified by '${carnetPassword}'`);
    await administer(first, "grant all on carnet.* to carnet@'127.0.0.%'");
  },
  url: ({ address }) => `mariadb://carnet:${carnetPassword}@${address}:3307/carnet`,
  takesCommits: (machine) =>
    askWriter(machine).then(
      (name) => name !== '',
      (error: Error) => error.message.includes('carnet_record'),
    ),
});
