import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, it, vi } from 'vitest';
import { createHashThreads, runHashJob } from './hash-threads.ts';

const cheap = { memoryCost: 64, timeCost: 1 };
const job = (password: string) => ({ kind: 'hash', password, options: cheap }) as const;

/** The nice values of all threads of this process (proc(5)). */
const priorities = (): readonly number[] =>
  readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });

/** How many threads have the priority of hashes. */
const lowPriorities = (): number => priorities().filter((each) => each === Math.min(19, getPriority() + 5)).length;

it.runIf(process.platform === 'linux')('a hash is computed with a lower priority than other requests', async () => {
  await runHashJob(job('secret'));
  expect(lowPriorities()).toBeGreaterThan(0);
});

it('a job that fails says nothing of the password, and its thread runs the next job', async () => {
  const wrong = { ...job('do not tell'), options: { memoryCost: 1 } };
  const error = await runHashJob(wrong).catch((thrown: Error) => thrown);
  expect(String(error)).toMatch(/A password hash was not computed/);
  expect(String(error)).not.toContain('do not tell');
  expect(await runHashJob(job('secret'))).toMatch(/^\$argon2id\$/);
});

it('several jobs at once have threads of their own', async () => {
  const hashes = await Promise.all(Array.from({ length: 3 }, () => runHashJob(job('secret'))));
  expect(new Set(hashes).size).toBe(3);
});

it('the hash of an unknown format matches no password', async () => {
  expect(await runHashJob({ kind: 'verify', password: 'secret', encoded: 'unknown' })).toBe(false);
});

it.runIf(process.platform === 'linux')('a thread without a job ends, and the next job has a new one', async () => {
  const run = createHashThreads({ idleMs: 20 });
  const before = lowPriorities();
  await run(job('secret'));
  expect(lowPriorities()).toBe(before + 1);
  await vi.waitFor(() => expect(lowPriorities()).toBe(before), { timeout: 10_000 });
  expect(await run(job('secret'))).toMatch(/^\$argon2id\$/);
});
