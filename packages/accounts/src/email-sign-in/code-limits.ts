import { createLoginAttempts, type LoginAttempts } from '../attempts/login-attempts.ts';
import type { AttemptStore } from '../second-factors/index.ts';
import { codeSeconds } from './pending-code.ts';

export interface CodeLimits {
  /** The requests for codes, by login name and by address of the browser. */
  readonly requests: LoginAttempts;
  /**
   * The requests for one login name, and for one user, from one address: fewer than those of the login name or the user, so that an
   * attacker with one address does not use these up.
   */
  readonly fromAddress: readonly LoginAttempts[];
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
  fromAddress: [
    createLoginAttempts(store, { ...hourly, perLogin: 3 }, now, 'email-sign-in-from'),
    createLoginAttempts(store, { ...daily, perLogin: 8 }, now, 'email-sign-in-from-day'),
  ],
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

/** Takes an attempt of each limit, until one refuses it. Returns the seconds to wait; undefined if all allow it. */
export const takeAll = async (limits: readonly LoginAttempts[], owner: string): Promise<number | undefined> => {
  for (const limit of limits) {
    const { retryAfterSeconds } = await limit.begin(owner, undefined);
    if (retryAfterSeconds !== undefined) return retryAfterSeconds;
  }
  return undefined;
};

type Owner = readonly ['login' | 'user', string];

const ownerFrom = (address: string, owner: Owner): string => JSON.stringify([address, ...owner]);

/** As `takeAll`, for the requests from one address. Without an address, there is no limit. */
export const takeFrom = async (
  { fromAddress }: Pick<CodeLimits, 'fromAddress'>,
  address: string | undefined,
  owner: Owner,
): Promise<number | undefined> => (address === undefined ? undefined : takeAll(fromAddress, ownerFrom(address, owner)));

/** Forgets the requests of a user who has signed in (from `address`), or whom an administrator unlocks. */
export const forgetCodes = async (
  { requests, ofUser, fromAddress }: Pick<CodeLimits, 'requests' | 'ofUser' | 'fromAddress'>,
  {
    subject,
    keys,
    address,
  }: { readonly subject: string; readonly keys: readonly string[]; readonly address?: string | undefined },
): Promise<void> => {
  const owners: readonly Owner[] = [['user', subject], ...keys.map((key) => ['login', key] as const)];
  const counted = address === undefined ? [] : owners.map((owner) => ownerFrom(address, owner));
  await Promise.all([
    ...fromAddress.flatMap((limit) => counted.map((owner) => limit.forget(owner))),
    ...ofUser.map((limit) => limit.forget(subject)),
    ...keys.map((key) => requests.forget(key)),
  ]);
};
