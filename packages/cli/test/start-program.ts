import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The command, as this workspace runs it. */
export const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export interface Program {
  readonly child: ChildProcess;
  /** What it has printed so far, on stdout and stderr. */
  readonly lines: readonly string[];
  /** Resolves with the first line, printed or yet to be, that holds `part`; rejects when the program ends without. */
  line(part: string): Promise<string>;
  /** Resolves once so many lines hold `part`; rejects when the program ends before. */
  untilLines(part: string, count: number): Promise<void>;
  /** Resolves with exit code and signal. */
  readonly exited: Promise<unknown[]>;
}

/** An empty folder for the length of a test. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-program-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Runs Node.js in a process of its own, with no environment but `env`. The caller ends it. */
export const spawnNode = (args: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Program => {
  const child = spawn(process.execPath, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      for (const look of waiting) look();
    });
  }
  const exited = once(child, 'close');
  const untilLines = (part: string, count: number) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (lines.filter((candidate) => candidate.includes(part)).length >= count) resolve();
      };
      waiting.add(look);
      look();
      void exited.then(() => reject(new Error(`it ended without a line with ${part}:\n${lines.join('\n')}`)));
    });
  const line = async (part: string) => {
    await untilLines(part, 1);
    return String(lines.find((candidate) => candidate.includes(part)));
  };
  return { child, lines, line, untilLines, exited };
};

const options = ['--conditions=@carnet/source', '--disable-warning=ExperimentalWarning'];

/** Runs a TypeScript file in an empty folder, unless one is given. It is killed when the test is over. */
export const startProgram = (
  file: string,
  args: readonly string[],
  env: Record<string, string> = {},
  cwd: string = temporaryFolder(),
): Program => {
  const program = spawnNode([...options, file, ...args], env, cwd);
  onTestFinished(() => void program.child.kill('SIGKILL'));
  return program;
};

/** Runs a command of `carnet` in a folder. The caller ends it. */
export const spawnCarnet = (args: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Program =>
  spawnNode([...options, main, ...args], env, cwd);
