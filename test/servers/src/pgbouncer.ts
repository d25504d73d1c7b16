import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './executables.ts';
import { acceptsConnections } from './free-port.ts';
import { ordinaryUser } from './ordinary-user.ts';
import { startServerProcess } from './server-process.ts';

/** A connection pooler in front of a Postgres of this machine. */
export interface PgBouncerServer {
  readonly port: number;
  /** Ends it at once: all connections of clients are lost. */
  kill(): Promise<void>;
  /** Same port. Resolves when connections are taken again. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface PgBouncerOptions {
  /** The port of Postgres on 127.0.0.1. */
  readonly postgresPort: number;
  /** The user of Postgres. All clients become this user, without a password. */
  readonly user: string;
  /** Settings of pgbouncer.ini over the defaults: transaction mode and five connections for each database. */
  readonly settings?: Readonly<Record<string, string>>;
}

const configuration = (port: number, { postgresPort, user, settings = {} }: PgBouncerOptions): string => {
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: `${port}`,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: '5',
    // Without it, clients are refused for 15 seconds after Postgres was down.
    server_login_retry: '0.2',
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  return ['[databases]', `* = host=127.0.0.1 port=${postgresPort} user=${user}`, '[pgbouncer]', ...lines, ''].join(
    '\n',
  );
};

/** Starts PgBouncer on 127.0.0.1 in transaction mode, as a user other than root. */
export const startPgBouncer = async (options: PgBouncerOptions): Promise<PgBouncerServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  const user = ordinaryUser('postgres', 'nobody');
  if (user) chownSync(folder, user.uid, user.gid);
  try {
    const server = await startServerProcess({
      name: 'pgbouncer',
      command: findProgram('pgbouncer', '`pgbouncer` (Debian)'),
      args: (port) => {
        writeFileSync(file, configuration(port, options));
        return ['-q', file];
      },
      folder,
      user,
      isReady: ({ port }) => acceptsConnections(port),
      killSignal: 'SIGKILL',
    });
    return {
      port: server.port,
      kill: () => server.end('SIGKILL'),
      start: server.start,
      async close() {
        await server.end('SIGKILL');
        await server.close();
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
};
