import { setTimeout as pause } from 'node:timers/promises';

const withinMs = 30_000;
const pollMs = 50;

/** Asks until it is so; throws with what did not come about. A question that fails counts as no. */
export const waitUntil = async (what: string, isTrue: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + withinMs;
  while (!(await isTrue().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`No ${what} within ${withinMs} ms.`);
    await pause(pollMs);
  }
};
