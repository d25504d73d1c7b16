import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@carnet/test-servers';
import type { Endpoints } from '../targets/target.ts';
import { createDaemon, type Daemon } from './daemon.ts';
import type { Machine, Machines } from './machines.ts';

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
  /** Whether a connection through HAProxy reaches a server that takes commits. */
  takesCommits(): Promise<boolean>;
  close(): Promise<void>;
}

/** What the machines of Carnet have to reach the database. */
export interface DatabaseAccess {
  /** Starts what is between Carnet and the database on a machine. HAProxy is the first. */
  startProxies(machine: Machine): readonly Daemon[];
  /** Creates the user and the database of Carnet. */
  create(): Promise<void>;
  /** The URL of the store on a machine. */
  url(machine: Machine): string;
  /** Whether a connection through HAProxy of the machine reaches a server that takes commits. */
  takesCommits(machine: Machine): Promise<boolean>;
}

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

/** Starts the proxies and Carnet on two machines, and creates the database. */
export const startAppMachines = async (
  { apps }: Pick<Machines, 'apps'>,
  access: DatabaseAccess,
): Promise<AppMachines> => {
  const [first] = apps;
  const proxies = apps.map((machine) => access.startProxies(machine));
  await access.create();
  const takesCommits = () => access.takesCommits(first);
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
  const carnets = apps.flatMap((machine) =>
    [4_444, 4_454].map((port) => createCarnet(machine, port, { ...env, DATABASE_URL: access.url(machine) })),
  );
  for (const { daemon, untilReady } of carnets) {
    // One after the other: the first one migrates the schema, and makes the keys.
    daemon.start();
    await untilReady();
  }
  return {
    endpoints,
    carnets,
    poolers: proxies.flatMap(([, ...poolers]) => poolers),
    takesCommits,
    async close() {
      await Promise.all(carnets.map(({ daemon }) => daemon.end('SIGTERM')));
      await Promise.all(proxies.flat().map((each) => each.end('SIGKILL')));
    },
  };
};
