import { createHash } from 'node:crypto';
import type { AttemptStore } from '../second-factors/index.ts';

export interface AttemptLimits {
  /** Failed attempts that are allowed for one login in a window. */
  readonly perLogin: number;
  /** Failed attempts that are allowed from one address in a window. An address may belong to a whole office. */
  readonly perAddress: number;
  /** Attempts that are allowed in a window from all callers together that send no address. Absent: not limited. */
  readonly withoutAddress?: number;
  readonly windowSeconds: number;
}

/** One attempt that is under way. */
export interface Attempt {
  /** Seconds to wait; undefined if the attempt is allowed. */
  readonly retryAfterSeconds: number | undefined;
  /** Gives the attempt back, because the password was right or could not be checked. */
  giveBack(): Promise<void>;
}

export interface LoginAttempts {
  /**
   * Takes an attempt. Call it before the password is checked, so that parallel guesses cannot all begin before the first
   * one has failed.
   */
  begin(login: string, address: string | undefined): Promise<Attempt>;
  /** Forgets the failed attempts for a login. Those of addresses stay. */
  forget(login: string): Promise<void>;
}

interface Limited {
  readonly key: string;
  readonly limit: number;
}

/** A count in the window that ends at `resetAt`. */
interface Taken {
  readonly key: string;
  readonly resetAt: number;
  /** Seconds to wait; undefined if the attempt is allowed, and stays taken. */
  readonly waitSeconds: number | undefined;
}

/** The hash of the text: users enter their password as the login name by mistake, and the store must not contain it. */
const keyOf = (kind: string, text: string): string =>
  `${kind}:${createHash('sha256').update(text).digest('base64url')}`;

/**
 * Counts wrong passwords by login and by address. The first limit slows down an attacker who guesses the password of one user,
 * the second one an attacker who tries one password for many users.
 */
export const createLoginAttempts = (
  store: AttemptStore,
  limits: AttemptLimits,
  now: () => number,
  purpose = 'password',
): LoginAttempts => {
  const take = async ({ key, limit }: Limited): Promise<Taken> => {
    const { count, resetAt } = await store.increment(key, limits.windowSeconds);
    if (count <= limit) return { key, resetAt, waitSeconds: undefined };
    await store.decrement(key, resetAt);
    return { key, resetAt, waitSeconds: Math.max(1, Math.ceil((resetAt - now()) / 1000)) };
  };
  const giveBack = async (taken: readonly Taken[]): Promise<void> => {
    await Promise.all(taken.map(({ key, resetAt }) => store.decrement(key, resetAt)));
  };
  return {
    forget: (login) => store.clear(keyOf(`${purpose}-login`, login)),
    begin: async (login, address) => {
      const limited: Limited[] = [{ key: keyOf(`${purpose}-login`, login), limit: limits.perLogin }];
      const limit = address === undefined ? limits.withoutAddress : limits.perAddress;
      if (limit !== undefined) limited.push({ key: keyOf(`${purpose}-address`, address ?? ''), limit });
      const results = await Promise.all(limited.map(take));
      const taken = results.filter(({ waitSeconds }) => waitSeconds === undefined);
      const refused = results.map(({ waitSeconds }) => waitSeconds).filter((seconds) => seconds !== undefined);
      if (refused.length === 0) return { retryAfterSeconds: undefined, giveBack: () => giveBack(taken.splice(0)) };
      // An attempt that is not checked must not use up the other limit.
      await giveBack(taken);
      return { retryAfterSeconds: Math.max(...refused), giveBack: async () => {} };
    },
  };
};
