import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DirectoryUser, Refusal, Verdict } from '@carnet/accounts/directory';
import type { Client } from 'ldapts';
import type { Pool } from '../connection/pool.ts';
import { bindAs, bindFailure, isUsablePassword } from './bind.ts';
import { createCheckTimes } from './check-times.ts';
import type { createUserSearch } from './search.ts';

interface VerifyOptions {
  readonly name: string;
  /** The DN below which users are. */
  readonly base: string;
  /** Connections that are bound as one user after another, never as the service account. */
  readonly pool: Pick<Pool, 'use'>;
  readonly search: Pick<ReturnType<typeof createUserSearch>, 'accountAt' | 'takeFresh'>;
}

/** The answer of the server, and how long it took. */
interface Bound {
  readonly refusal: Refusal | undefined;
  readonly ms: number;
}

type Account = Awaited<ReturnType<VerifyOptions['search']['accountAt']>>;

/** Why the user is refused; undefined if the password is accepted. */
const reasonFor = (
  { refusal, entry }: Bound & { readonly entry: Account },
  user: DirectoryUser,
): Refusal | undefined => {
  // The id identifies the user, not the DN: the password of the next user with this DN must not open this account.
  if (entry === undefined || entry.id !== user.id) return 'unknown_user';
  if (refusal === undefined) return entry.refusal;
  if (refusal !== 'wrong_password') return refusal;
  return entry.refusal ?? (entry.hasLock ? 'locked' : refusal);
};

/** Runs the checks of one user or of one unknown login one after the other. */
const createTurns = () => {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(owner: string, check: () => Promise<T>): Promise<T> => {
    const turn = (last.get(owner) ?? Promise.resolve()).then(check, check);
    last.set(owner, turn);
    try {
      return await turn;
    } finally {
      if (last.get(owner) === turn) last.delete(owner);
    }
  };
};

/**
 * Checks passwords by a bind as the user. Guesses of one login at the same time take turns, each as long as a refusal takes:
 * otherwise they would be slower for a user who exists, whose hashes wait for each other on the server.
 */
export const createVerification = ({ name, base, pool, search }: VerifyOptions) => {
  const times = createCheckTimes();
  const takeTurn = createTurns();

  /** The duration is that of the server, without the time in which the bind waits for a connection. */
  const bind = async (dn: string, password: string): Promise<Bound> => {
    try {
      return await pool.use('bind as the user', async (client: Client) => {
        const began = performance.now();
        const refusal = await bindAs(client, { dn, password });
        return { refusal, ms: performance.now() - began };
      });
    } catch (error) {
      throw bindFailure(name, error);
    }
  };

  /**
   * Binds, and reads the entry at the same time unless the user has just been found. A cached user may have been deleted, and
   * the DN may belong to another user.
   */
  const bindAndRead = async (user: DirectoryUser, password: string) => {
    const account = search.takeFresh(user) ?? search.accountAt(user.handle);
    const [bound, entry] = await Promise.allSettled([bind(user.handle, password), account]);
    if (bound.status === 'rejected') throw bound.reason;
    if (entry.status === 'rejected') throw entry.reason;
    return { ...bound.value, entry: entry.value };
  };

  const refuseUnknown = async (password: string): Promise<void> => {
    const nonexistent = `uid=${randomBytes(8).toString('hex')},${base}`;
    const { ms } = await bind(nonexistent, isUsablePassword(password) ? password : randomBytes(8).toString('hex'));
    await pause(times.rest(ms));
  };

  const verify = async (user: DirectoryUser, password: string): Promise<Verdict> => {
    if (!isUsablePassword(password)) {
      await refuseUnknown(password);
      return { accepted: false, reason: 'wrong_password' };
    }
    const bound = await bindAndRead(user, password);
    // The server refuses a locked user without computing a hash.
    if (bound.refusal === undefined || bound.refusal === 'wrong_password') times.note(user.id, bound.ms);
    const reason = reasonFor(bound, user);
    if (reason === undefined) return { accepted: true };
    await pause(times.rest(bound.ms));
    return { accepted: false, reason };
  };

  return {
    verifyUnknown: (password: string, login: string): Promise<void> =>
      takeTurn(`unknown ${login}`, () => refuseUnknown(password)),
    verify: (user: DirectoryUser, password: string): Promise<Verdict> =>
      takeTurn(`user ${user.id}`, () => verify(user, password)),
  };
};
