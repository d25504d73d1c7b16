import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export interface DaemonOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly owner?: { readonly uid?: number; readonly gid?: number };
}

/** A program that is started again with the same arguments. */
export interface Daemon {
  readonly name: string;
  pid(): number;
  isRunning(): boolean;
  start(): void;
  /** Resolves when it has ended; a stopped process is resumed to hear the signal. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const running = new Set<ChildProcess>();
// Patroni hears SIGTERM and stops its Postgres.
process.once('exit', () => {
  for (const child of running) {
    child.kill('SIGTERM');
    child.kill('SIGCONT');
  }
});

const patienceMs = 20_000;

export const createDaemon = ({ name, command, args, env = {}, logFile, owner = {} }: DaemonOptions): Daemon => {
  let child: ChildProcess | undefined;
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    name,
    isRunning,
    pid() {
      if (!isRunning() || child?.pid === undefined)
        throw new Error(`${name} is not running:\n${readFileSync(logFile, 'utf8').slice(-1_500)}`);
      return child.pid;
    },
    start() {
      const log = openSync(logFile, 'a');
      const started = spawn(command, args, {
        env: { PATH: `${process.env.PATH}:/usr/sbin:/usr/bin`, LC_ALL: 'C.UTF-8', ...env },
        cwd: '/',
        stdio: ['ignore', log, log],
        detached: true,
        ...owner,
      });
      closeSync(log);
      running.add(started);
      started.once('exit', () => running.delete(started));
      started.once('error', () => running.delete(started));
      child = started;
    },
    async end(signal) {
      if (!isRunning() || child === undefined) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      child.kill('SIGCONT');
      const late = pause(patienceMs, 'late', { ref: false });
      if ((await Promise.race([ended, late])) === 'late') child.kill('SIGKILL');
      await ended;
    },
  };
};
