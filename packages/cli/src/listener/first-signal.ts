import { exitCodes } from '../command.ts';
import type { Environment } from '../env.ts';

/** npm forwards the SIGINT that the terminal has already sent. Two signals within this time are treated as one. */
const sameSignalMs = 1_000;

const parentCheckMs = 250;

/**
 * npm ends at SIGTERM together with its shell, which does not forward the signal. So under npm, the end of the parent
 * process is the signal. Without npm it is not: a daemon outlives the process that started it.
 */
const whenNpmEnds = (env: Environment, stop: (reason: string) => void): void => {
  if (env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop('the end of npm'), parentCheckMs).unref();
};

/** Resolves with the name of the first signal to stop. Another one, later, ends the process at once. */
export const firstSignal = (env: Environment): Promise<string> =>
  new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (signal: string): void => {
      firstAt ??= performance.now();
      if (performance.now() - firstAt > sameSignalMs) process.exit(exitCodes.failed);
      resolve(signal);
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
    whenNpmEnds(env, resolve);
  });
