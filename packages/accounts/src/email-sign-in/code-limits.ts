import { createLoginAttempts, type LoginAttempts } from '../attempts/login-attempts.ts';
import type { AttemptStore } from '../second-factors/index.ts';
import { codeSeconds } from './pending-code.ts';

export interface CodeLimits {
  /** The requests for codes, by login name and by address of the browser. */
  readonly requests: LoginAttempts;
  /** The codes that are sent to one user in an hour, and in a day. */
  readonly ofUser: readonly LoginAttempts[];
  /** The requests of one browser in which the user has signed in before: others cannot use them up. */
  readonly ofDevice: LoginAttempts;
  /** The wrong guesses of one code, and those from one address. */
  readonly guesses: LoginAttempts;
}

const hourly = { perLogin: 5, perAddress: 100, windowSeconds: 3_600 };
const daily = { perLogin: 20, perAddress: 100, windowSeconds: 86_400 };

/**
 * Five guesses of each code, and twenty codes a day of each user: an attacker guesses a code of a user within a day with a
 * probability of 0.0001. A count of wrong codes by user would let an attacker lock out the user instead.
 */
export const createCodeLimits = (store: AttemptStore, now: () => number): CodeLimits => ({
  requests: createLoginAttempts(store, hourly, now, 'email-sign-in'),
  ofUser: [
    createLoginAttempts(store, hourly, now, 'email-sign-in-user'),
    createLoginAttempts(store, daily, now, 'email-sign-in-day'),
  ],
  ofDevice: createLoginAttempts(store, hourly, now, 'email-sign-in-device'),
  guesses: createLoginAttempts(
    store,
    { perLogin: 5, perAddress: 100, windowSeconds: codeSeconds },
    now,
    'email-sign-in-guess',
  ),
});

/** Takes an attempt of each limit, until one refuses it. Returns whether all allow it. */
export const takeAll = async (limits: readonly LoginAttempts[], owner: string): Promise<boolean> => {
  for (const limit of limits) if ((await limit.begin(owner, undefined)).retryAfterSeconds !== undefined) return false;
  return true;
};

/** Forgets the requests of a user who has signed in, or whom an administrator unlocks. */
export const forgetCodes = async (
  { requests, ofUser }: Pick<CodeLimits, 'requests' | 'ofUser'>,
  { subject, keys }: { readonly subject: string; readonly keys: readonly string[] },
): Promise<void> => {
  await Promise.all([...ofUser.map((limit) => limit.forget(subject)), ...keys.map((key) => requests.forget(key))]);
};
