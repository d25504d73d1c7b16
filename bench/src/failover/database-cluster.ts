import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signalFamily, waitUntil } from '@carnet/test-servers';
import { createDaemon, type Daemon } from './daemon.ts';
import type { Machine, Machines } from './machines.ts';
import { queryOnce } from './query-once.ts';
import { writeTemplate } from './templates.ts';

export const carnetPassword = 'carnet-password';
const superuserPassword = 'superuser-password';

/** A database server on one machine, with what belongs to it. */
export interface DatabaseNode {
  readonly machine: Machine;
  /** SIGKILL to all of its processes at once: the machine is lost. */
  kill(): Promise<void>;
  start(): void;
  /** SIGSTOP to all of them. */
  stop(): void;
  resume(): void;
}

export interface DatabaseCluster {
  readonly nodes: readonly DatabaseNode[];
  /** The node that is written to, unless there is none or it is the one given. */
  findPrimary(except?: DatabaseNode): Promise<DatabaseNode | undefined>;
  /** A node that commits wait for, and that is not written to. */
  findSynchronous(): Promise<DatabaseNode | undefined>;
  /** Resolves when all three machines take part. */
  untilWhole(): Promise<void>;
  close(): Promise<void>;
}

export const superuserUrl = (machine: Machine, port = 5432, database = 'postgres'): string =>
  `postgres://postgres:${superuserPassword}@${machine.address}:${port}/${database}`;

const askWithinMs = 1_000;

const ask = async (machine: Machine, path: string): Promise<Response | undefined> =>
  fetch(`http://${machine.address}:8008${path}`, { signal: AbortSignal.timeout(askWithinMs) }).catch(() => undefined);

const isOk = async (machine: Machine, path: string): Promise<boolean> => {
  const response = await ask(machine, path);
  await response?.body?.cancel();
  return response?.status === 200;
};

const createNode = (
  machine: Machine,
  etcdArgs: Readonly<Record<string, string>>,
): DatabaseNode & { daemons: Daemon[] } => {
  const { address, name, folder, owner } = machine;
  const common = { NAME: name, ADDRESS: address, RUN_FOLDER: join(folder, 'run') };
  const etcd = createDaemon({
    name: `etcd on ${name}`,
    command: '/usr/bin/etcd',
    args: [
      '--config-file',
      writeTemplate(machine, 'postgres-ha/etcd.conf.yml', {
        ...common,
        ...etcdArgs,
        DATA_FOLDER: join(folder, 'data', 'etcd'),
      }),
    ],
    logFile: join(folder, 'etcd.log'),
    owner,
  });
  const postgresFolder = join(folder, 'data', 'postgres');
  const patroni = createDaemon({
    name: `Patroni on ${name}`,
    command: '/usr/bin/patroni',
    args: [
      writeTemplate(machine, 'postgres-ha/patroni.yml', {
        ...common,
        ...etcdArgs,
        DATA_FOLDER: postgresFolder,
        SUPERUSER_PASSWORD: superuserPassword,
        REPLICATION_PASSWORD: 'replication-password',
        REWIND_PASSWORD: 'rewind-password',
        NETWORK: '127.0.0.0/8',
        WATCHDOG: 'off',
      }),
    ],
    logFile: join(folder, 'patroni.log'),
    owner,
  });
  const daemons = [etcd, patroni];
  const postmaster = (): number | undefined => {
    try {
      return Number(readFileSync(join(postgresFolder, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
    } catch {
      return undefined;
    }
  };
  const signalAll = (signal: NodeJS.Signals): void => {
    // Patroni first: it would start Postgres again.
    for (const pid of [patroni, etcd].filter((each) => each.isRunning()).map((each) => each.pid()))
      signalFamily(pid, signal);
    const pid = postmaster();
    if (pid !== undefined) signalFamily(pid, signal);
  };
  return {
    machine,
    daemons,
    async kill() {
      signalAll('SIGKILL');
      await Promise.all(daemons.map((each) => each.end('SIGKILL')));
    },
    start: () => {
      for (const each of daemons) each.start();
    },
    stop: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
  };
};

/** How many standbys receive what the primary writes. What Patroni says of a standby does not include it. */
const countStreaming = async ({ machine }: DatabaseNode): Promise<number> => {
  const text = "select count(*)::int as n from pg_stat_replication where state = 'streaming'";
  const rows = await queryOnce(superuserUrl(machine), text).catch(() => []);
  return Number(rows[0]?.n ?? 0);
};

/** Starts etcd, Patroni and Postgres on three machines. */
export const startDatabaseCluster = async ({ databases }: Machines): Promise<DatabaseCluster> => {
  const etcdArgs = {
    ETCD_HOSTS: databases.map(({ address }) => `${address}:2379`).join(','),
    ETCD_CLUSTER: databases.map(({ name, address }) => `${name}=http://${address}:2380`).join(','),
  };
  const nodes = databases.map((machine) => createNode(machine, etcdArgs));
  for (const node of nodes) node.start();
  const find = async (path: string, except?: DatabaseNode): Promise<DatabaseNode | undefined> => {
    const found = await Promise.all(nodes.map(async (node) => node !== except && (await isOk(node.machine, path))));
    return nodes[found.indexOf(true)];
  };
  const cluster: DatabaseCluster = {
    nodes,
    findPrimary: (except) => find('/primary', except),
    findSynchronous: () => find('/sync'),
    untilWhole: () =>
      waitUntil(
        'a primary, a synchronous standby and a standby',
        async () => {
          const primary = await find('/primary');
          return primary !== undefined && (await find('/sync')) !== undefined && (await countStreaming(primary)) === 2;
        },
        { withinSeconds: 180, pollMs: 100 },
      ),
    async close() {
      for (const node of nodes) node.resume();
      await Promise.all(nodes.map(({ daemons }) => daemons[1]?.end('SIGTERM')));
      for (const node of nodes) await node.kill();
    },
  };
  try {
    await cluster.untilWhole();
    return cluster;
  } catch (error) {
    await cluster.close();
    throw error;
  }
};
