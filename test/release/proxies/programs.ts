import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const startWithinMs = 60_000;

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

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
  while (!(await accepts(port))) {
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
