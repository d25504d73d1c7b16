import type { Authentication } from '@carnet/directory';
import type { LoginAttempts } from './login-attempts.ts';

export interface Limited {
  readonly retryAfterSeconds: number;
  /**
   * The user whose own limit is reached; undefined if that of the login or the address is. Answer it as a wrong password: a
   * request to wait would reveal that two logins belong to one user.
   */
  readonly subject: string | undefined;
}

/** Directories report `password_change_required` only after the right password. */
const isRight = (result: Authentication): boolean => result.accepted || result.reason === 'password_change_required';

/**
 * Checks a password within the limits of the login, of the address and of the user. A right password, and a failure of the
 * directory, are not counted.
 *
 * @param key the text by which the login is counted (`Directories.lookupKey`)
 */
export const guessPassword = async (
  attempts: LoginAttempts,
  { key, address }: { readonly key: string; readonly address?: string | undefined },
  check: () => Promise<Authentication>,
): Promise<Authentication | Limited> => {
  const attempt = await attempts.begin(key, address);
  const { retryAfterSeconds } = attempt;
  if (retryAfterSeconds !== undefined) return { retryAfterSeconds, subject: undefined };
  try {
    const result = await check();
    const subject = result.account?.subject;
    // Safe against aliases: beyond the limit of the user who was found, the verdict is not revealed, whatever login found the
    // user. An unknown user takes an attempt as well: the duration does not reveal which users exist.
    const own = await attempts.begin(subject ?? `unknown ${key}`, undefined);
    if (own.retryAfterSeconds !== undefined) return { retryAfterSeconds: own.retryAfterSeconds, subject };
    if (isRight(result)) await Promise.all([attempt.giveBack(), own.giveBack()]);
    return result;
  } catch (error) {
    await attempt.giveBack();
    throw error;
  }
};
