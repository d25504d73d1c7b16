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
  /** Resolves with exit code and signal. */
  readonly exited: Promise<unknown[]>;
}

/** An empty folder for the length of a test. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-program-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/**
 * Runs a TypeScript file in a process of its own, with no environment but `env`, in an empty folder unless one is given;
 * killed when the test is over.
 */
export const startProgram = (
  file: string,
  args: readonly string[],
  env: Record<string, string> = {},
  cwd: string = temporaryFolder(),
): Program => {
  const child = spawn(
    process.execPath,
    ['--conditions=@carnet/source', '--disable-warning=ExperimentalWarning', file, ...args],
    {
      env,
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      for (const look of waiting) look();
    });
  }
  const exited = once(child, 'close');
  const line = (part: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = lines.find((candidate) => candidate.includes(part));
        if (found !== undefined) resolve(found);
      };
      waiting.add(look);
      look();
      void exited.then(() => reject(new Error(`it ended without a line with ${part}:\n${lines.join('\n')}`)));
    });
  return { child, lines, line, exited };
};
