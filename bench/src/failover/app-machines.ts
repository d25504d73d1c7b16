import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@carnet/test-servers';
import type { Endpoints } from '../targets/target.ts';
import { createDaemon, type Daemon } from './daemon.ts';
import { carnetPassword, superuserUrl } from './database-cluster.ts';
import type { Machine, Machines } from './machines.ts';
import { queryOnce } from './query-once.ts';
import { writeTemplate } from './templates.ts';

const startup = { withinSeconds: 180, pollMs: 100 };
const program = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));

export interface CarnetNode {
  readonly daemon: Daemon;
  /** Resolves when `/health/ready` is 200. */
  untilReady(): Promise<void>;
}

export interface AppMachines {
  /** HAProxy of the first machine, which leads to all four processes of Carnet. */
  readonly endpoints: Endpoints;
  readonly carnets: readonly CarnetNode[];
  readonly poolers: readonly Daemon[];
  /** Whether a connection through HAProxy reaches a Postgres that takes commits. */
  takesCommits(): Promise<boolean>;
  close(): Promise<void>;
}

const startProxies = ({ databases, apps }: Machines, machine: Machine): readonly [Daemon, Daemon] => {
  const { address, folder, owner } = machine;
  const values = {
    ADDRESS: address,
    RUN_FOLDER: join(folder, 'run'),
    CARNET_PASSWORD: carnetPassword,
    ...Object.fromEntries(databases.map((each, index) => [`POSTGRES_${index + 1}`, each.address])),
    ...Object.fromEntries(apps.map((each, index) => [`CARNET_${index + 1}`, each.address])),
  };
  writeTemplate(machine, 'userlist.txt', values);
  const haproxy = createDaemon({
    name: `HAProxy on ${machine.name}`,
    command: '/usr/sbin/haproxy',
    args: ['-db', '-f', writeTemplate(machine, 'haproxy.cfg', values)],
    logFile: join(folder, 'haproxy.log'),
    owner,
  });
  const pgbouncer = createDaemon({
    name: `PgBouncer on ${machine.name}`,
    command: '/usr/sbin/pgbouncer',
    args: [writeTemplate(machine, 'pgbouncer.ini', values)],
    logFile: join(folder, 'pgbouncer.log'),
    owner,
  });
  for (const each of [haproxy, pgbouncer]) each.start();
  return [haproxy, pgbouncer];
};

const createCarnet = (machine: Machine, port: number, env: Readonly<Record<string, string>>): CarnetNode => {
  const { address, name, folder } = machine;
  const daemon = createDaemon({
    name: `Carnet on ${name}:${port}`,
    command: process.execPath,
    args: [
      '--conditions=@carnet/source',
      '--disable-warning=ExperimentalWarning',
      program,
      'serve',
      '--dev',
      '--workers',
      '1',
    ],
    env: {
      ...env,
      HOST: address,
      PORT: String(port),
      ADMIN_HOST: address,
      ADMIN_PORT: String(port + 1),
      DATABASE_URL: `postgres://carnet:${carnetPassword}@${address}:6432/carnet`,
    },
    logFile: join(folder, `carnet-${port}.log`),
  });
  const isReady = async (): Promise<boolean> => {
    // As systemd does: a process that finds no store within its timeout exits.
    if (!daemon.isRunning()) daemon.start();
    const response = await fetch(`http://${address}:${port}/health/ready`, { signal: AbortSignal.timeout(1_000) });
    await response.body?.cancel();
    return response.ok;
  };
  return { daemon, untilReady: () => waitUntil(daemon.name, isReady, startup) };
};

/** Starts HAProxy, PgBouncer and Carnet on two machines, and creates the database on the primary. */
export const startAppMachines = async (machines: Machines, primary: Machine): Promise<AppMachines> => {
  const { apps } = machines;
  const [first] = apps;
  const proxies = apps.map((machine) => startProxies(machines, machine));
  await queryOnce(superuserUrl(primary), `create role carnet login password '${carnetPassword}'`);
  await queryOnce(superuserUrl(primary), 'create database carnet owner carnet');
  const takesCommits = () =>
    queryOnce(superuserUrl(first, 5_000), 'select pg_is_in_recovery() as standby').then(
      ([row]) => row?.standby === false,
      () => false,
    );
  await waitUntil('HAProxy', takesCommits, startup);
  const endpoints = { publicUrl: `http://${first.address}:8080`, adminUrl: `http://${first.address}:8081` };
  const env = {
    ISSUER: endpoints.publicUrl,
    ADMIN_ALLOWED_HOSTS: new URL(endpoints.adminUrl).host,
    SECRETS_SYSTEM: 'a-secret-of-the-failover-bench-only',
    KEYS_SOURCE: 'store',
    KEYS_ALGORITHMS: 'ES256',
    ID_TOKEN_ALG: 'ES256',
  };
  const carnets = apps.flatMap((machine) => [4_444, 4_454].map((port) => createCarnet(machine, port, env)));
  for (const { daemon, untilReady } of carnets) {
    // One after the other: the first one migrates the schema, and makes the keys.
    daemon.start();
    await untilReady();
  }
  return {
    endpoints,
    carnets,
    poolers: proxies.map(([, pooler]) => pooler),
    takesCommits,
    async close() {
      await Promise.all(carnets.map(({ daemon }) => daemon.end('SIGTERM')));
      await Promise.all(proxies.flat().map((each) => each.end('SIGKILL')));
    },
  };
};
