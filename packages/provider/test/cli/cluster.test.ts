import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('cluster-program.ts', import.meta.url));

interface Program {
  readonly child: ChildProcess;
  readonly lines: string[];
  /** Resolves with the first line, printed or yet to be, that holds `part`. */
  line(part: string): Promise<string>;
  readonly exited: Promise<unknown[]>;
}

const started: ChildProcess[] = [];

const start = (...args: string[]): Program => {
  const child = spawn(process.execPath, ['--conditions=source', program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      for (const look of waiting) look();
    });
  }
  const line = (part: string) =>
    new Promise<string>((resolve) => {
      const look = () => {
        const found = lines.find((candidate) => candidate.includes(part));
        if (found !== undefined) resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { child, lines, line, exited: once(child, 'close') };
};

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

const ask = async (url: string) => (await fetch(url)).json() as Promise<{ pid: number; generated: string }>;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('several workers', () => {
  it('share a port and what dev mode generated, replace one that crashed, and end gracefully', async () => {
    const { child, lines, line, exited } = start();
    const { publicUrl } = JSON.parse(await line('"msg":"ready"'));
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(publicUrl)));
    const pids = new Set(answers.map((answer) => answer.pid));
    expect(pids.size).toBe(2);
    expect(new Set(answers.map((answer) => answer.generated)).size).toBe(1);

    await expect(fetch(`${publicUrl}/crash`)).rejects.toThrow();
    expect(JSON.parse(await line('starting another'))).toMatchObject({ level: 'error', exitCode: 9, delayMs: 250 });
    let replaced: number | undefined;
    while (replaced === undefined) {
      const { pid, generated } = await ask(publicUrl);
      expect(generated).toBe(answers[0]?.generated);
      if (!pids.has(pid)) replaced = pid;
    }

    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(lines.filter((text) => text.includes('"msg":"stopping"'))).toHaveLength(1);
    for (const pid of [...pids, replaced]) expect(isAlive(pid)).toBe(false);
  });

  it('end together, with the reason once, when one can not start', async () => {
    const { lines, exited } = start('fail');
    expect(await exited).toEqual([1, null]);
    expect(lines).toEqual(['carnet: the store is away']);
  });
});
