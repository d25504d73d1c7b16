import type { DeviceTokens } from '../devices/device-tokens.ts';
import type { Authentication } from '../directory/index.ts';
import type { Attempt, LoginAttempts } from './login-attempts.ts';

export interface Limited {
  readonly retryAfterSeconds: number;
  /**
   * The user whose own limit is reached; undefined if the limit of the login or of the address is. Answer as to a wrong
   * password: a request to wait would reveal that two logins belong to one user.
   */
  readonly subject: string | undefined;
}

export interface GuessCounts {
  readonly attempts: LoginAttempts;
  /** The counts of browsers that have signed in before. Without them, every browser is treated as unknown. */
  readonly devices?: DeviceCounts | undefined;
}

export interface DeviceCounts {
  readonly tokens: Pick<DeviceTokens, 'find'>;
  /** Counts for the lifetime of a token: its id allows no more guesses than one window. */
  readonly attempts: LoginAttempts;
}

/** An attempt of a browser that has signed in before. */
export interface DeviceAttempt {
  isOf(subject: string | undefined): boolean;
  giveBack(): Promise<void>;
}

/** Undefined for an unknown browser, and for a token whose guesses are used up. */
export const beginOnDevice = async (
  devices: DeviceCounts | undefined,
  token: string | undefined,
  user: Parameters<DeviceTokens['find']>[1],
): Promise<DeviceAttempt | undefined> => {
  const device = devices?.tokens.find(token, user);
  if (devices === undefined || device === undefined) return undefined;
  const { retryAfterSeconds, giveBack } = await devices.attempts.begin(device.id, undefined);
  return retryAfterSeconds === undefined ? { isOf: device.isOf, giveBack } : undefined;
};

/** The texts by which guesses are counted. A login that is typed as a subject has a count of its own. */
export const countOf = {
  login: (key: string): string => `login ${key}`,
  user: (subject: string): string => `user ${subject}`,
  unknown: (key: string): string => `unknown ${key}`,
};

/** Directories report `password_change_required` only after the right password. */
const isRight = (result: Authentication): boolean => result.accepted || result.reason === 'password_change_required';

interface Guess {
  /** The text by which the login is counted (`Directories.lookupKey`). */
  readonly key: string;
  readonly address?: string | undefined;
  /** The token of the browser. */
  readonly device?: string | undefined;
}

/**
 * Checks a password within the limits of the login, of the address and of the user. A right password, and a failure of the
 * directory, are not counted. The guesses of a browser in which the user has signed in before are counted separately: an
 * attacker elsewhere does not lock out the user.
 */
export const guessPassword = async (
  { attempts, devices }: GuessCounts,
  { key, address, device }: Guess,
  check: (mayCheck: (subject: string) => Promise<boolean>) => Promise<Authentication>,
): Promise<Authentication | Limited> => {
  const known = await beginOnDevice(devices, device, { key });
  const shared = known === undefined ? await attempts.begin(countOf.login(key), address) : undefined;
  if (shared?.retryAfterSeconds !== undefined)
    return { retryAfterSeconds: shared.retryAfterSeconds, subject: undefined };
  const own: { attempt?: Attempt } = {};
  // Safe against aliases: the attempt of the user who was found is taken before the password is checked. Beyond the limit,
  // the right password is answered as a wrong one, in the same time.
  const mayCheck = async (subject: string): Promise<boolean> => {
    if (known?.isOf(subject)) return true;
    own.attempt ??= await attempts.begin(countOf.user(subject), undefined);
    return own.attempt.retryAfterSeconds === undefined;
  };
  try {
    const result = await check(mayCheck);
    const subject = result.account?.subject;
    if (known?.isOf(subject)) {
      if (isRight(result)) await known.giveBack();
      return result;
    }
    // The login belongs to another user now, so the browser is treated as unknown.
    const attempt = shared ?? (await attempts.begin(countOf.login(key), address));
    if (attempt.retryAfterSeconds !== undefined)
      return { retryAfterSeconds: attempt.retryAfterSeconds, subject: undefined };
    // An unknown user takes an attempt as well: the duration does not reveal which users exist.
    const { retryAfterSeconds, giveBack } = own.attempt ?? (await attempts.begin(countOf.unknown(key), undefined));
    if (retryAfterSeconds !== undefined) return { retryAfterSeconds, subject };
    if (isRight(result)) await Promise.all([attempt.giveBack(), giveBack()]);
    return result;
  } catch (error) {
    await Promise.all([known?.giveBack(), shared?.giveBack(), own.attempt?.giveBack()]);
    throw error;
  }
};
