import type { NewPasswordCheck } from '../store/password-rules.ts';

/**
 * Calls each check in turn. A check that fails is reported and skipped: the outage of a service must not stop sign-ups, and the
 * other rules apply.
 */
export const combineChecks =
  (checks: readonly NewPasswordCheck[], onError: (error: unknown) => void): NewPasswordCheck =>
  async (password) => {
    for (const check of checks) {
      try {
        const problem = await check(password);
        if (problem !== undefined) return problem;
      } catch (error) {
        onError(error);
      }
    }
    return undefined;
  };
