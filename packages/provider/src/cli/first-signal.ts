import { exitCodes } from './command.ts';

/** npm passes on the SIGINT that the terminal has sent already: two so close together are one. */
const sameSignalMs = 1_000;

/** Resolves with the name of the first signal to stop. Another one, later, ends the process at once. */
export const firstSignal = (): Promise<string> =>
  new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (signal: string): void => {
      firstAt ??= performance.now();
      if (performance.now() - firstAt > sameSignalMs) process.exit(exitCodes.failed);
      resolve(signal);
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
