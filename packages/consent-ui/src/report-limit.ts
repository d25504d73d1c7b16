import type { Problem } from './problem.ts';

const intervalMs = 10_000;

/**
 * Whether a problem is written to the log. An outage fails every request for the same reason: of those with one code, one
 * in ten seconds is written.
 *
 * @param now milliseconds
 */
export const createReportLimit = (now = () => performance.now()) => {
  const reported = new Map<Problem['code'], number>();
  return ({ code, status }: Pick<Problem, 'code' | 'status'>): boolean => {
    if (status !== 503) return true;
    const at = reported.get(code);
    if (at !== undefined && now() - at < intervalMs) return false;
    reported.set(code, now());
    return true;
  };
};
