import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const leash = fileURLToPath(new URL('leash.mjs', import.meta.url));
/** More than the ten seconds that the provider gives to requests in progress. */
const graceMs = 60_000;
const pollMs = 30;

export interface ChildOptions {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Child {
  readonly name: string;
  /** Everything it has printed so far. */
  output(): string;
  /** Resolves when the URL answers without an error; rejects with the output when the process ends before, or at the deadline. */
  answers(url: string, withinMs: number): Promise<void>;
  /** Ends it and everything it started; rejects if something is left. */
  stop(): Promise<void>;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const isAnswered = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5_000) });
    await response.arrayBuffer();
    return response.status < 400;
  } catch {
    return false;
  }
};

/** "pid (name) state parent group", of each process. Empty where there is no /proc. */
const processLines = (): string[] =>
  (existsSync('/proc') ? readdirSync('/proc') : []).flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/stat`, 'utf8')] : [];
    } catch {
      return []; // It has ended since.
    }
  });

/** What is alive in a process group. A process that has ended is listed until its parent has asked how: that is no life. */
const aliveIn = (groupId: number): string[] =>
  processLines().filter((line) => {
    const [state, , group] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return Number(group) === groupId && state !== 'Z' && state !== 'X';
  });

/** Starts a command as a process group of its own, which ends with this process at the latest. */
export const startChild = ({ name, command, cwd, env }: ChildOptions): Child => {
  const child = spawn(process.execPath, [leash, ...command], { cwd, env, detached: true, stdio: 'pipe' });
  const groupId = child.pid;
  if (groupId === undefined) throw new Error(`${name} could not be started`);
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const output = () => Buffer.concat(chunks).toString();

  /** Whether anything of the group was there to take the signal; 0 only asks. */
  const signalGroup = (signal: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-groupId, signal);
    } catch {
      return false;
    }
  };

  const isGoneWithin = async (ms: number): Promise<boolean> => {
    const end = Date.now() + ms;
    while (signalGroup(0) && (!existsSync('/proc') || aliveIn(groupId).length > 0)) {
      if (Date.now() > end) return false;
      await pause(pollMs);
    }
    return true;
  };

  return {
    name,
    output,
    async answers(url, withinMs) {
      const end = Date.now() + withinMs;
      while (!(await isAnswered(url))) {
        if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}:\n${output()}`);
        if (Date.now() > end) throw new Error(`${name} did not answer at ${url} within ${withinMs} ms:\n${output()}`);
        await pause(pollMs);
      }
    },
    async stop() {
      signalGroup('SIGTERM');
      if (await isGoneWithin(graceMs)) return;
      const left = aliveIn(groupId).map((line) => line.split(' ', 5).join(' '));
      signalGroup('SIGKILL');
      await isGoneWithin(graceMs);
      const last = output().slice(-2_000);
      throw new Error(`${name} had to be killed ${graceMs} ms after SIGTERM (${left.join(', ')}):\n${last}`);
    },
  };
};
