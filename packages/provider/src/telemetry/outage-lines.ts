import type { CarnetError } from '../errors.ts';
import type { Logger } from './logger.ts';

const intervalMs = 10_000;

interface Reported {
  readonly at: number;
  /** Requests that have failed since that line. */
  more: number;
}

/**
 * Logs the requests that fail because a directory or the accounts database is down: one line in ten seconds for each of
 * them, without a stack, because every sign-in fails for the same reason until it is back.
 *
 * @param now milliseconds
 */
export const createOutageLines = (logger: Pick<Logger, 'error'>, now = () => performance.now()) => {
  const reported = new Map<string, Reported>();
  return (error: CarnetError, requestId: string): void => {
    const directory = (error.cause as { readonly directory?: string } | undefined)?.directory;
    const key = directory ?? '';
    const last = reported.get(key);
    if (last !== undefined && now() - last.at < intervalMs) {
      last.more += 1;
      return;
    }
    reported.set(key, { at: now(), more: 0 });
    const { code, description: problem } = error;
    logger.error({ code, directory, problem, requestId, failedSinceLastLine: last?.more ?? 0 }, 'request failed');
  };
};
