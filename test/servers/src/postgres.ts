import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabase } from './database.ts';
import { ordinaryUser, type User } from './ordinary-user.ts';
import { findPostgresBinaries, placeBinaries } from './postgres-binaries.ts';
import { signalFamily } from './process-family.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

/** A database server for tests, which ends with the process that started it. */
export interface TestPostgres {
  /** Of the database `carnet`, as its superuser. No password. */
  readonly url: string;
  /** A fresh, empty database. */
  createDatabase(): Promise<string>;
  /** Ends a server of ours; one that was there before is left, without the databases created here. */
  close(): Promise<void>;
}

/**
 * A server of our own, which can be hurt. `kill` is `pg_ctl stop -m immediate`: no farewell, no checkpoint; the next start
 * recovers from the log. `pause` stops every process of the server; `kill`, `stop` and `close` need no `resume`.
 */
export interface PostgresServer
  extends TestPostgres,
    Pick<ServerProcess, 'port' | 'pid' | 'kill' | 'start' | 'pause' | 'resume'> {
  /** What `pg_ctl stop -m fast` does: connections are ended, the data is written. */
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** Settings of postgresql.conf over the defaults. `fsync` is on unless switched off here. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Whom the data belongs to inside Postgres. */
const superuser = 'carnet';

interface Place {
  readonly folder: string;
  readonly user: User | undefined;
  /** Where `initdb` and `postgres` are. */
  readonly binaries: string;
}

const preparePlace = (folder: string): Place => {
  const user = ordinaryUser('postgres', 'nobody');
  if (user) chownSync(folder, user.uid, user.gid);
  return { folder, user, binaries: placeBinaries(findPostgresBinaries(), user, join(folder, 'binaries')) };
};

const initialize = async ({ folder, user, binaries }: Place): Promise<void> => {
  const kind = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  const args = ['-D', join(folder, 'data'), '-U', superuser, ...kind];
  await promisify(execFile)(join(binaries, 'initdb'), args, { cwd: folder, ...user });
};

/** As `pg_ctl` asks: the first line is the postmaster's process id, the eighth its state. */
const isReady = (folder: string, pid: number): boolean => {
  const lines = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
  return lines[0] === `${pid}` && /^(ready|standby)$/.test(lines[7]?.trim() ?? '');
};

/** Starts a Postgres with data of its own below the system's temporary folder, and only on 127.0.0.1. */
const startPostgresProcess = async (settings: Readonly<Record<string, string>>): Promise<ServerProcess> => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-postgres-'));
  // initdb removes what it has made when it is interrupted: two who remove the same may both stop early.
  const remove = (): void => {
    for (let tries = 0; tries < 20 && existsSync(folder); tries += 1) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
      if (existsSync(folder)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  };
  process.once('exit', remove);
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  try {
    const place = preparePlace(folder);
    await initialize(place);
    return await startServerProcess({
      name: 'postgres',
      command: join(place.binaries, 'postgres'),
      args: (port) => ['-D', join(folder, 'data'), '-p', `${port}`, ...flags],
      folder,
      user: place.user,
      isReady: async ({ pid }) => isReady(folder, pid),
      killSignal: 'SIGQUIT',
    });
  } catch (error) {
    remove();
    throw error;
  } finally {
    // By now its watchdog sees to it.
    process.off('exit', remove);
  }
};

type Lifecycle = Pick<PostgresServer, 'kill' | 'stop' | 'start' | 'pause' | 'resume' | 'close'>;

const lifecycleOf = (server: ServerProcess): Lifecycle => {
  const resume = () => signalFamily(server.pid, 'SIGCONT');
  const end = async (signal: NodeJS.Signals) => {
    if (!server.isRunning()) return;
    const gone = server.end(signal);
    // The postmaster waits for its children, who hear nothing while they are paused.
    resume();
    await gone;
  };
  return {
    kill: () => end('SIGQUIT'),
    stop: () => end('SIGINT'),
    start: server.start,
    pause: () => signalFamily(server.pid, 'SIGSTOP'),
    resume,
    async close() {
      await end('SIGQUIT');
      await server.close();
    },
  };
};

/** Starts Postgres on 127.0.0.1, with data of its own below the system's temporary folder. */
export const startPostgres = async ({ settings = {} }: PostgresOptions = {}): Promise<PostgresServer> => {
  const server = await startPostgresProcess(settings);
  const urlOf = (database: string) => `postgres://${superuser}@127.0.0.1:${server.port}/${database}`;
  const createNamed = async (name: string) => {
    await createDatabase(urlOf('postgres'), name);
    return urlOf(name);
  };
  let count = 0;
  return {
    url: await createNamed('carnet'),
    port: server.port,
    get pid() {
      return server.pid;
    },
    createDatabase() {
      count += 1;
      return createNamed(`carnet_${count}`);
    },
    ...lifecycleOf(server),
  };
};
