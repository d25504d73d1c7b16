import { exitCodes } from '../command.ts';
import type { Environment } from '../env.ts';

/** npm passes on the SIGINT that the terminal has sent already: two so close together are one. */
const sameSignalMs = 1_000;

const parentCheckMs = 250;

/**
 * npm ends at SIGTERM and takes along the shell it started us in, which passes nothing on: losing the parent is the
 * signal then. Not so without npm, where a daemon may well outlive what started it.
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
