import { setImmediate as nextTurn } from 'node:timers/promises';
import { mostLeftCounted, type Swept } from '@carnet/adapter-contract';
import { whenUnlocked } from './lock.ts';
import type { Statements } from './statements.ts';

/** Records a transaction of a sweep removes: a few milliseconds, then commits have their turn. */
const sweepSize = 250;

export const sweepExpired = async (
  { statements, busyTimeoutMs }: { readonly statements: Statements; readonly busyTimeoutMs: number },
  limit: number,
  now: number,
): Promise<Swept> => {
  let removed = 0;
  for (let isDone = false; !isDone; ) {
    const size = Math.min(limit - removed, sweepSize);
    const count = await whenUnlocked(() => statements.sweep.run(now, size), busyTimeoutMs);
    removed += count;
    isDone = count < size || removed === limit;
    if (!isDone) await nextTurn();
  }
  return {
    removed,
    left: await whenUnlocked(() => statements.countExpired.count(now, mostLeftCounted), busyTimeoutMs),
  };
};
