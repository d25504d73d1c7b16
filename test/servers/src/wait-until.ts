import { setTimeout as pause } from 'node:timers/promises';

/** Asks until it is so. A question that fails counts as no. @throws Error that names `what` if it takes too long */
export const waitUntil = async (
  what: string,
  isTrue: () => Promise<boolean>,
  { withinSeconds = 30, pollMs = 50 } = {},
): Promise<void> => {
  const deadline = performance.now() + withinSeconds * 1_000;
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`No ${what} within ${withinSeconds} s.`);
    await pause(pollMs);
  }
};
