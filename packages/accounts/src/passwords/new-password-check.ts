import type { AccountsDependencies } from '../dependencies.ts';
import type { AccountsOptions } from '../options.ts';
import type { NewPasswordCheck } from '../store/password-rules.ts';
import { createBreachedPasswordCheck } from './breached-passwords.ts';

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

/** A line for each failure would fill the log in an outage. */
const loggedEveryMs = 60_000;

/** The check of new passwords by the function and by the service of the configuration; undefined if neither is set. */
export const newPasswordCheckOf = (
  { passwords: { check: url } }: Pick<AccountsOptions, 'passwords'>,
  { passwordCheck, logger, now }: Pick<AccountsDependencies, 'passwordCheck' | 'logger' | 'now'>,
): NewPasswordCheck | undefined => {
  const ofUrl = url === undefined ? undefined : createBreachedPasswordCheck({ url });
  const checks = [passwordCheck, ofUrl].filter((each) => each !== undefined);
  let loggedAt = Number.NEGATIVE_INFINITY;
  const report = (error: unknown): void => {
    if (now() - loggedAt < loggedEveryMs) return;
    loggedAt = now();
    logger.warn({ err: error }, 'accounts.passwords.check has failed: new passwords are accepted by the other rules.');
  };
  return checks.length === 0 ? undefined : combineChecks(checks, report);
};
