import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from './free-port.ts';
import type { User } from './ordinary-user.ts';
import { startWatchdog } from './watchdog.ts';

const pollMs = 20;
const shownLines = 30;

export interface ServerProcessOptions {
  readonly name: string;
  readonly command: string;
  args(port: number): readonly string[];
  /** Its working directory, and all that it leaves: removed with it. */
  readonly folder: string;
  readonly user?: User | undefined;
  /** Variables of its environment. It gets none of ours but PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: 60. */
  readonly startWithinSeconds?: number;
  /** Whether the server with this process id, and no other, answers. A rejection: not yet. */
  isReady(server: { readonly pid: number; readonly port: number }): Promise<boolean>;
  /** What ends it at once. Default: SIGKILL. */
  readonly killSignal?: 'SIGQUIT';
}

/** A server that is started, killed and started again, always on the same port and in the same folder. */
export interface ServerProcess {
  readonly port: number;
  /** Throws while the server is down. */
  readonly pid: number;
  isRunning(): boolean;
  /** Same port, same folder. Resolves when it answers. */
  start(): Promise<void>;
  /** Resolves when it is gone; at once if it is. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Ends it at once. */
  kill(): Promise<void>;
  /**
   * SIGSTOP: connections stay open, and new ones are still accepted by the system, but nothing answers. `kill` and
   * `close` need no `resume`.
   */
  pause(): void;
  resume(): void;
  /** Ends it at once, and removes its folder. */
  close(): Promise<void>;
}

/** Has a server started in a new folder below the system's temporary one, which is removed if that fails. */
export const inNewFolder = async <T>(name: string, start: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), `carnet-${name}-`));
  try {
    return await start(folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
};

interface Running {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly gone: Promise<void>;
  /** The end of what it has printed. */
  output(): string;
}

const launch = ({ name, command, folder, user, env }: ServerProcessOptions, args: readonly string[]): Running => {
  const child = spawn(command, args, {
    cwd: folder,
    // Nothing of ours: PGOPTIONS, LD_PRELOAD and the like would make another server of it.
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...env },
    // Not of our process group: what interrupts the tests is not for the server.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  let lines: string[] = [];
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      lines.push(error.message);
      resolve();
    });
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      lines = [...lines, ...text.split('\n').filter((line) => line !== '')].slice(-shownLines);
    });
  }
  if (child.pid === undefined) throw new Error(`${name} could not be started: ${command}`);
  return { pid: child.pid, child, gone, output: () => lines.join('\n') };
};

const isOver = ({ child }: Running): boolean => child.exitCode !== null || child.signalCode !== null;

/** Resolves when the server answers; otherwise ends it and throws with what it has printed. */
const waitUntilReady = async (options: ServerProcessOptions, running: Running, port: number) => {
  const { name, isReady, startWithinSeconds = 60 } = options;
  const deadline = Date.now() + startWithinSeconds * 1_000;
  while (!isOver(running) && Date.now() < deadline) {
    if (await isReady({ pid: running.pid, port }).catch(() => false)) return;
    await pause(pollMs);
  }
  const how = isOver(running) ? 'ended' : `did not answer within ${startWithinSeconds} s`;
  running.child.kill('SIGKILL');
  await running.gone;
  throw new Error(`${name} ${how}:\n${running.output()}`);
};

/** Another process was quicker. */
const isPortTaken = (error: unknown): boolean => error instanceof Error && error.message.includes('in use');

/** Starts a server on a port of its own, which ends with this process at the latest. */
export const startServerProcess = async (options: ServerProcessOptions): Promise<ServerProcess> => {
  const { folder, killSignal = 'SIGKILL' } = options;
  const watchdog = startWatchdog(killSignal, folder);
  let running: Running | undefined;

  const startOn = async (port: number) => {
    if (running !== undefined) throw new Error(`${options.name} is running already.`);
    const launched = launch(options, options.args(port));
    running = launched;
    watchdog.watch(launched.pid);
    void launched.gone.then(() => {
      if (running !== launched) return;
      running = undefined;
      watchdog.watch(undefined);
    });
    await waitUntilReady(options, launched, port);
  };

  const startSomewhere = async (tries: number): Promise<number> => {
    const port = await findFreePort();
    try {
      await startOn(port);
      return port;
    } catch (error) {
      if (tries > 1 && isPortTaken(error)) return startSomewhere(tries - 1);
      await watchdog.close();
      throw error;
    }
  };

  const port = await startSomewhere(5);
  const pid = (): number => {
    if (running === undefined) throw new Error(`${options.name} is not running.`);
    return running.pid;
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (running === undefined) return;
    const { child, gone } = running;
    child.kill(signal);
    // One that was paused hears nothing else.
    child.kill('SIGCONT');
    await gone;
  };
  const kill = () => end(killSignal);
  return {
    port,
    get pid() {
      return pid();
    },
    isRunning: () => running !== undefined,
    start: () => startOn(port),
    end,
    kill,
    pause: () => void process.kill(pid(), 'SIGSTOP'),
    resume: () => void process.kill(pid(), 'SIGCONT'),
    async close() {
      await kill();
      await watchdog.close();
    },
  };
};
