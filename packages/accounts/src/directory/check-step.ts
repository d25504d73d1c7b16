import type { CheckStep } from './port.ts';

/** Runs a step of a health check. A failure is its detail. */
export const checkStep = async (target: string, step: string, run: () => Promise<unknown>): Promise<CheckStep> => {
  const begun = performance.now();
  const detail = await run().then(
    () => undefined,
    (error: Error) => error.message,
  );
  const ms = performance.now() - begun;
  return { target, step, ok: detail === undefined, ms, ...(detail !== undefined && { detail }) };
};
