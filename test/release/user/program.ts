import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { environmentOf, type RunOptions } from './folder.ts';

const startWithinMs = 60_000;
const stopWithinMs = 10_000;

export interface StartOptions extends RunOptions {
  /** The program is ready when its output matches. */
  readonly ready: RegExp;
}

export interface Program {
  /** The match of `ready`. */
  readonly ready: RegExpMatchArray;
  /** All that the program has printed, both outputs. */
  output(): string;
  /** Ends the program and all that it started, first by SIGTERM. Resolves with the exit code, null after a signal. */
  stop(): Promise<number | null>;
}

/** Signals all that a command started. Returns false when none of it is left. */
const signalGroup = (pid: number | undefined, signal: NodeJS.Signals | 0): boolean => {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
};

/** Asks a group to end. What is left of it after a while is killed. */
const endGroup = async (pid: number | undefined): Promise<void> => {
  const deadline = Date.now() + stopWithinMs;
  signalGroup(pid, 'SIGTERM');
  while (signalGroup(pid, 0) && Date.now() < deadline) await pause(50);
  signalGroup(pid, 'SIGKILL');
};

/** Starts a program that keeps running, as a user does in a terminal. Resolves when it is ready. */
export const startIn = async (
  folder: string,
  command: string,
  args: readonly string[],
  { ready, ...options }: StartOptions,
): Promise<Program> => {
  const env = await environmentOf(options);
  // A process group of its own: npm starts a shell, which starts the program.
  const child = spawn(command, [...args], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => void signalGroup(child.pid, 'SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('exit', (code) => resolve(code));
  });
  let output = '';
  const match = await new Promise<RegExpMatchArray>((resolve, reject) => {
    const fail = (how: string) => {
      kill();
      reject(new Error(`${command} ${args.join(' ')} ${how}:\n${output}`));
    };
    const timer = setTimeout(() => fail(`was not ready within ${startWithinMs} ms`), startWithinMs);
    void ended.then((code) => fail(`ended with exit code ${code}`)).finally(() => clearTimeout(timer));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const found = ready.exec(output);
        if (found === null) return;
        clearTimeout(timer);
        resolve(found);
      });
    }
  });
  return {
    ready: match,
    output: () => output,
    async stop() {
      await endGroup(child.pid);
      process.off('exit', kill);
      return ended;
    },
  };
};
