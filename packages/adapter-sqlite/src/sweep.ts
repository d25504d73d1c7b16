import { setImmediate as nextTurn } from 'node:timers/promises';
import { mostLeftCounted, type Swept } from '@carnet/adapter-contract';
import { whenUnlocked } from './lock.ts';
import type { Statements } from './statements.ts';

/** Records a transaction of a sweep removes: a few milliseconds, then commits have their turn. */
const sweepSize = 250;

interface SweepContext {
  readonly statements: Statements;
  readonly busyTimeoutMs: number;
}

export const sweepExpired = async (
  { statements: { sweep, countExpired }, busyTimeoutMs }: SweepContext,
  limit: number,
  now: number,
): Promise<Swept> => {
  let removed = 0;
  for (let isDone = false; !isDone; ) {
    const size = Math.min(limit - removed, sweepSize);
    const count = await whenUnlocked(() => sweep.run(now, size), busyTimeoutMs);
    removed += count;
    isDone = count < size || removed === limit;
    if (!isDone) await nextTurn();
  }
  return { removed, left: await whenUnlocked(() => countExpired.count(now, mostLeftCounted), busyTimeoutMs) };
};
