import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from './executables.ts';
import { acceptsConnections } from './free-port.ts';
import { ordinaryUser } from './ordinary-user.ts';
import { inNewFolder, type ServerProcess, startServerProcess } from './server-process.ts';

/** A connection pooler in front of a Postgres of this machine. A kill ends all connections of clients. */
export type PgBouncerServer = Pick<ServerProcess, 'port' | 'kill' | 'start' | 'close'>;

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
export const startPgBouncer = (options: PgBouncerOptions): Promise<PgBouncerServer> =>
  inNewFolder('pgbouncer', (folder) => {
    const file = join(folder, 'pgbouncer.ini');
    const user = ordinaryUser('postgres', 'nobody');
    if (user) chownSync(folder, user.uid, user.gid);
    return startServerProcess({
      name: 'pgbouncer',
      command: findProgram('pgbouncer', '`pgbouncer` (Debian)'),
      args: (port) => {
        writeFileSync(file, configuration(port, options));
        return ['-q', file];
      },
      folder,
      user,
      isReady: ({ port }) => acceptsConnections(port),
    });
  });
