import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '@carnet/test-servers';
import { makeScratchFolder, removeScratchFolder } from '../targets/scratch-folder.ts';

export interface PeerProcess {
  readonly processId: number;
  stop(): Promise<void>;
}

export interface PeerProcessOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Answers with a status below 400 when the server is ready. */
  readonly readyUrl: string;
}

const groups = new Set<number>();
const endGroup = (group: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-group, signal);
  } catch {
    // It has ended.
  }
};
process.prependOnceListener('exit', () => {
  for (const group of groups) endGroup(group, 'SIGKILL');
});

const startWithinSeconds = 600;

/** Starts a server with its own process group and waits until it answers. The log is a file. */
export const startPeerProcess = async (options: PeerProcessOptions): Promise<PeerProcess> => {
  const { name, command, args, env, cwd, readyUrl } = options;
  const folder = makeScratchFolder('peer');
  const logFile = join(folder, 'log');
  const log = openSync(logFile, 'a');
  const child = spawn(command, args, {
    cwd: cwd ?? folder,
    env: { ...process.env, ...env },
    // A script that starts a server ends with all its processes.
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const ended = once(child, 'exit');
  const processId = child.pid;
  if (processId === undefined) throw new Error(`${name} could not be started: ${command}`);
  groups.add(processId);
  const stop = async (): Promise<void> => {
    endGroup(processId, 'SIGTERM');
    const isLate = await Promise.race([ended.then(() => false), pause(10_000, true, { ref: false })]);
    if (isLate) endGroup(processId, 'SIGKILL');
    groups.delete(processId);
    removeScratchFolder(folder);
  };
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const answers = async (): Promise<boolean> => (await fetch(readyUrl, { redirect: 'manual' })).status < 400;
  try {
    const isOver = async () => hasEnded() || answers();
    await waitUntil(`${name} at ${readyUrl}`, isOver, { withinSeconds: startWithinSeconds });
    if (hasEnded()) throw new Error(`${name} has ended`);
    return { processId, stop };
  } catch (error) {
    const output = readFileSync(logFile, 'utf8').slice(-2_000);
    await stop();
    throw new Error(`${(error as Error).message}:\n${output}`);
  }
};
