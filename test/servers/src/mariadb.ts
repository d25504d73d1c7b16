import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import mysql from 'mysql2/promise';
import { findProgram } from './executables.ts';
import { acceptsConnections } from './free-port.ts';
import { ordinaryUser } from './ordinary-user.ts';
import { inNewFolder, type ServerProcess, startServerProcess } from './server-process.ts';

/** A database server for tests, which ends with the process that started it. */
export interface TestMariadb {
  /** `mysql://root@127.0.0.1:port/carnet`. No password. */
  readonly url: string;
  /** A fresh, empty database. */
  createDatabase(): Promise<string>;
}

/** A server of our own, which can be hurt: SIGKILL, SIGSTOP, and started again with the same data. */
export type MariadbServer = TestMariadb & ServerProcess;

export interface MariadbOptions {
  /** Options of `mariadbd` over its defaults, such as `max-connections`. What is committed is on the disk unless changed here. */
  readonly settings?: Readonly<Record<string, string>>;
}

const packages = 'MariaDB (Debian: `mariadb-server`)';

const administrator = 'root';

export const urlOf = ({ port }: Pick<ServerProcess, 'port'>, database: string): string =>
  `mysql://${administrator}@127.0.0.1:${port}/${database}`;

/** Runs a statement over a connection of its own. Returns the rows. */
export const execute = async (url: string, statement: string): Promise<readonly unknown[]> => {
  const connection = await mysql.createConnection({ uri: url, connectTimeout: 10_000 });
  try {
    const [rows] = await connection.query(statement);
    return Array.isArray(rows) ? rows : [];
  } finally {
    connection.destroy();
  }
};

const defaults = {
  'bind-address': '127.0.0.1',
  'innodb-buffer-pool-size': '64M',
  'innodb-log-file-size': '32M',
  // Names of hosts are not looked up: the only one is this one.
  'skip-name-resolve': 'on',
};

export interface MariadbProcessOptions {
  /** Called at each start. */
  settings(): Readonly<Record<string, string>>;
  /** Default true. A node that joins a cluster copies the data of another one. */
  readonly hasSystemTables?: boolean;
}

export const startMariadbProcess = ({
  settings,
  hasSystemTables = true,
}: MariadbProcessOptions): Promise<ServerProcess> =>
  inNewFolder('mariadb', async (folder) => {
    const user = ordinaryUser('mysql', 'nobody');
    const [data, pidFile] = [join(folder, 'data'), join(folder, 'pid')];
    // A server that starts removes the temporary tables that it finds, those of another one in the same folder, too.
    const tmpdir = `--tmpdir=${folder}`;
    mkdirSync(data);
    if (user) for (const path of [folder, data]) chownSync(path, user.uid, user.gid);
    if (hasSystemTables)
      await promisify(execFile)(
        findProgram('mariadb-install-db', packages),
        ['--no-defaults', `--datadir=${data}`, tmpdir, '--auth-root-authentication-method=normal', '--skip-test-db'],
        { cwd: folder, ...user },
      );
    return startServerProcess({
      name: 'mariadbd',
      command: findProgram('mariadbd', packages),
      args: (port) => [
        '--no-defaults',
        `--datadir=${data}`,
        tmpdir,
        `--socket=${join(folder, 's')}`,
        `--pid-file=${pidFile}`,
        `--port=${port}`,
        ...Object.entries({ ...defaults, ...settings() }).map(([name, value]) => `--${name}=${value}`),
      ],
      folder,
      user,
      isReady: async ({ pid, port }) =>
        readFileSync(pidFile, 'utf8').trim() === `${pid}` && (await acceptsConnections(port)),
    });
  });

/** Starts MariaDB on 127.0.0.1, with data of its own below the system's temporary folder. */
export const startMariadb = async ({ settings = {} }: MariadbOptions = {}): Promise<MariadbServer> => {
  const server = await startMariadbProcess({ settings: () => settings });
  const createNamed = async (name: string) => {
    // Another character set than the one that is needed: the tables must not depend on it.
    await execute(urlOf(server, ''), `create database ${name} character set latin1`);
    return urlOf(server, name);
  };
  let count = 0;
  return Object.assign(server, {
    url: await createNamed('carnet'),
    createDatabase() {
      count += 1;
      return createNamed(`carnet_${count}`);
    },
  });
};

/** The server of this process, once a test has used it. Its watchdog ends it with this process. */
let shared: Promise<MariadbServer> | undefined;

/** A server that all files of a worker share, for tests that do not hurt it. It does not wait for the disk. */
export const openTestMariadb = (): Promise<TestMariadb> => {
  shared ??= startMariadb({ settings: { 'innodb-flush-method': 'nosync', 'max-connections': '300' } });
  return shared;
};
