import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ordinaryUser, type User } from './ordinary-user.ts';
import { findPostgresBinaries, placeBinaries } from './postgres-binaries.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

/** Whom the data belongs to inside Postgres. */
export const superuser = 'carnet';

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
  try {
    const lines = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
    return lines[0] === `${pid}` && /^(ready|standby)$/.test(lines[7]?.trim() ?? '');
  } catch {
    return false;
  }
};

/** Starts a Postgres with data of its own below the system's temporary folder, and only on 127.0.0.1. */
export const startPostgresProcess = async (settings: Readonly<Record<string, string>>): Promise<ServerProcess> => {
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
