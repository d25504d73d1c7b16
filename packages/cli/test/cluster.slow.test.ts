import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { punctual, sendUntilRefused } from './send-until-refused.ts';
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

/** Those of another process, on Linux; elsewhere none. */
const countDescriptors = (pid = 0): number => {
  const folder = `/proc/${pid}/fd`;
  return existsSync(folder) ? readdirSync(folder).length : 0;
};

describe('several workers', () => {
  it('share a port and what dev mode generated, replace one that crashed, and end gracefully', async () => {
    const { child, lines, line, exited } = start();
    const { publicUrl } = JSON.parse(await line('"msg":"ready"'));
    const answers: Awaited<ReturnType<typeof ask>>[] = [];
    const pids = new Set<number>();
    // The system chooses which of them accepts a connection.
    while (pids.size < 2) {
      answers.push(...(await Promise.all(Array.from({ length: 12 }, () => ask(publicUrl)))));
      for (const { pid } of answers) pids.add(pid);
    }
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

  it('replace one that ends while another has not started yet', async () => {
    const { lines, line } = start('crash-early');
    await line('"msg":"ready"');
    expect(lines.filter((text) => text.includes('a worker exited; starting another'))).toHaveLength(1);
  });

  it('answer every client that connects while one of them hangs and is then killed', async () => {
    const { child, line } = start();
    const { publicUrl } = JSON.parse(await line('"msg":"ready"'));
    const { pid } = await ask(publicUrl);
    const before = countDescriptors(child.pid);
    process.kill(pid, 'SIGSTOP');
    const answers = Array.from({ length: 40 }, () => ask(publicUrl));
    const first = await Promise.race(answers);
    process.kill(pid, 'SIGKILL');
    expect(first.pid).not.toBe(pid);
    expect(await Promise.all(answers)).toHaveLength(40);
    await line('starting another');
    await expect.poll(() => countDescriptors(child.pid)).toBeLessThanOrEqual(before);
  });

  it.each([0, 50, 300])(
    'reset no kept connection at SIGTERM, of 60 clients that send a request every %i ms',
    async (pauseMs) => {
      const { child, line, exited } = start();
      const { publicUrl } = JSON.parse(await line('"msg":"ready"'));
      const outcomes = Array.from({ length: 60 }, () => sendUntilRefused(`${publicUrl}/keep`, pauseMs));
      await delay(500);
      child.kill('SIGTERM');
      const refused = punctual(await Promise.all(outcomes));
      expect(refused.length).toBeGreaterThan(0);
      expect(refused.filter(({ isKept }) => isKept)).toEqual([]);
      // The kernel resets a connection that it completes between the last accept and the end of listening.
      const resets = refused.filter(({ code }) => code !== 'ECONNREFUSED');
      expect(resets.every(({ code }) => code === 'ECONNRESET')).toBe(true);
      expect(resets.length).toBeLessThanOrEqual(refused.length / 20);
      expect(await exited).toEqual([0, null]);
    },
  );
});
