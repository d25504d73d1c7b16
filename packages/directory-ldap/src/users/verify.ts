import { randomBytes } from 'node:crypto';
import type { DirectoryUser, Refusal, Verdict } from '@carnet/directory';
import type { Client } from 'ldapts';
import type { Pool } from '../connection/pool.ts';
import { bindAs, bindFailure } from './bind.ts';
import { isUsablePassword } from './password.ts';
import type { createUserSearch } from './search.ts';

interface VerifyOptions {
  readonly name: string;
  /** The DN below which users are. */
  readonly base: string;
  /** Connections that are bound as one user after another, never as the service account. */
  readonly pool: Pick<Pool, 'use'>;
  readonly search: Pick<ReturnType<typeof createUserSearch>, 'accountAt' | 'takeFresh'>;
}

/** Checks passwords by a bind as the user. */
export const createVerification = ({ name, base, pool, search }: VerifyOptions) => {
  const bind = async (dn: string, password: string): Promise<Refusal | undefined> => {
    try {
      return await pool.use('bind as the user', (client: Client) => bindAs(client, { dn, password }));
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
    const [refusal, entry] = await Promise.allSettled([bind(user.handle, password), account]);
    if (refusal.status === 'rejected') throw refusal.reason;
    if (entry.status === 'rejected') throw entry.reason;
    return { refusal: refusal.value, entry: entry.value };
  };

  const verifyUnknown = async (password: string): Promise<void> => {
    const nonexistent = `uid=${randomBytes(8).toString('hex')},${base}`;
    await bind(nonexistent, isUsablePassword(password) ? password : randomBytes(8).toString('hex'));
  };

  const reasonFor = async (user: DirectoryUser, password: string): Promise<Refusal | undefined> => {
    if (!isUsablePassword(password)) {
      await verifyUnknown(password);
      return 'wrong_password';
    }
    const { refusal, entry } = await bindAndRead(user, password);
    // The id identifies the user, not the DN: the password of the next user with this DN must not open this account.
    if (entry === undefined || entry.id !== user.id) return 'unknown_user';
    if (refusal === undefined) return entry.refusal;
    if (refusal !== 'wrong_password') return refusal;
    return entry.refusal ?? (entry.hasLock ? 'locked' : refusal);
  };

  return {
    verifyUnknown,
    async verify(user: DirectoryUser, password: string): Promise<Verdict> {
      const reason = await reasonFor(user, password);
      return reason === undefined ? { accepted: true } : { accepted: false, reason };
    },
  };
};
