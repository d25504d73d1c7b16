import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startProgram } from './start-program.ts';

const program = fileURLToPath(new URL('cluster-program.ts', import.meta.url));

const start = (...args: string[]) => startProgram(program, args);

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
