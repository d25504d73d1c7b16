import { createDatabase } from './database.ts';
import { startPostgresProcess, superuser } from './postgres-process.ts';
import { signalFamily } from './process-family.ts';
import type { ServerProcess } from './server-process.ts';

/** A database server for tests: whoever runs it is gone, it is gone too. */
export interface TestPostgres {
  /** Of the database `carnet`, as its superuser. No password. */
  readonly url: string;
  /** A fresh, empty database. */
  createDatabase(): Promise<string>;
  /** Ends a server of ours; one that was there before is left, without the databases created here. */
  close(): Promise<void>;
}

/** A server of our own, which can be hurt. */
export interface PostgresServer extends TestPostgres {
  readonly port: number;
  /** The postmaster's. Throws while the server is down. */
  readonly pid: number;
  /** What `pg_ctl stop -m immediate` does: no farewell, no checkpoint; the next start recovers from the log. */
  kill(): Promise<void>;
  /** What `pg_ctl stop -m fast` does: connections are ended, the data is written. */
  stop(): Promise<void>;
  /** Same port, same data. Resolves when connections are taken again. */
  start(): Promise<void>;
  /**
   * Stops every process of the server (SIGSTOP). Connections stay open, and new ones are still accepted by the system,
   * but nothing answers. `kill`, `stop` and `close` need no `resume`.
   */
  pause(): void;
  resume(): void;
}

export interface PostgresOptions {
  /** Settings of postgresql.conf over the defaults. `fsync` is on unless switched off here. */
  readonly settings?: Readonly<Record<string, string>>;
}

type Lifecycle = Pick<PostgresServer, 'kill' | 'stop' | 'start' | 'pause' | 'resume' | 'close'>;

const lifecycleOf = (server: ServerProcess): Lifecycle => {
  const resume = () => signalFamily(server.pid(), 'SIGCONT');
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
    pause: () => signalFamily(server.pid(), 'SIGSTOP'),
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
      return server.pid();
    },
    createDatabase() {
      count += 1;
      return createNamed(`carnet_${count}`);
    },
    ...lifecycleOf(server),
  };
};
