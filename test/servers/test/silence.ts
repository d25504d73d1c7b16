import { setTimeout as pause } from 'node:timers/promises';

const listenMs = 300;

/** Whether nothing came of it while we listened. */
export const isSilent = (answer: Promise<unknown>): Promise<boolean> =>
  Promise.race([answer.then(() => false), pause(listenMs, true)]);
