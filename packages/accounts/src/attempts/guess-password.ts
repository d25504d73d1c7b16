import type { Authentication } from '@carnet/directory';
import type { DeviceTokens } from '../devices/device-tokens.ts';
import type { Attempt, LoginAttempts } from './login-attempts.ts';

export interface Limited {
  readonly retryAfterSeconds: number;
  /**
   * The user whose own limit is reached; undefined if that of the login or the address is. Answer it as a wrong password: a
   * request to wait would reveal that two logins belong to one user.
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

/** Directories report `password_change_required` only after the right password. */
const isRight = (result: Authentication): boolean => result.accepted || result.reason === 'password_change_required';

interface Guess {
  /** The text by which the login is counted (`Directories.lookupKey`). */
  readonly key: string;
  readonly address?: string | undefined;
  /** The token of the browser. */
  readonly device?: string | undefined;
}

/** The verdict, within the limits of the user who was found. */
const withinUser = async (
  attempts: LoginAttempts,
  attempt: Attempt,
  key: string,
  result: Authentication,
): Promise<Authentication | Limited> => {
  const subject = result.account?.subject;
  // Safe against aliases: beyond the limit of the user who was found, the verdict is not revealed, whatever login found the
  // user. An unknown user takes an attempt as well: the duration does not reveal which users exist.
  const own = await attempts.begin(subject ?? `unknown ${key}`, undefined);
  if (own.retryAfterSeconds !== undefined) return { retryAfterSeconds: own.retryAfterSeconds, subject };
  if (isRight(result)) await Promise.all([attempt.giveBack(), own.giveBack()]);
  return result;
};

/**
 * Checks a password within the limits of the login, of the address and of the user. A right password, and a failure of the
 * directory, are not counted. The guesses of a browser in which the user has signed in before count apart: those of an
 * attacker elsewhere do not stop the user.
 */
export const guessPassword = async (
  { attempts, devices }: GuessCounts,
  { key, address, device }: Guess,
  check: () => Promise<Authentication>,
): Promise<Authentication | Limited> => {
  const known = await beginOnDevice(devices, device, { key });
  const shared = known === undefined ? await attempts.begin(key, address) : undefined;
  if (shared?.retryAfterSeconds !== undefined)
    return { retryAfterSeconds: shared.retryAfterSeconds, subject: undefined };
  try {
    const result = await check();
    if (known?.isOf(result.account?.subject)) {
      if (isRight(result)) await known.giveBack();
      return result;
    }
    // The login belongs to another user now, so that the guess is one of an unknown browser.
    const attempt = shared ?? (await attempts.begin(key, address));
    if (attempt.retryAfterSeconds !== undefined)
      return { retryAfterSeconds: attempt.retryAfterSeconds, subject: undefined };
    return await withinUser(attempts, attempt, key, result);
  } catch (error) {
    await Promise.all([known?.giveBack(), shared?.giveBack()]);
    throw error;
  }
};
