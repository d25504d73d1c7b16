import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { acceptsConnections } from '@carnet/test-servers';

const startWithinMs = 60_000;

export interface StartOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The program has started when it accepts connections here. */
  readonly port: number;
}

export interface Program {
  /** All that the program has printed. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts a program, and waits until it accepts connections. @throws Error with its output if it ends before */
export const startProgram = async ({ command, args, env, cwd, port }: StartOptions): Promise<Program> => {
  const child = spawn(command, [...args], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const closed = once(child, 'close');
  const deadline = Date.now() + startWithinMs;
  while (!(await acceptsConnections(port))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`${command} ${args.join(' ')} did not start:\n${Buffer.concat(output)}`);
    }
    await pause(50);
  }
  return {
    output: () => Buffer.concat(output).toString(),
    stop: async () => {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await closed;
      clearTimeout(late);
    },
  };
};
