import { createHash, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import type { FactorStore } from '../store.ts';

/**
 * A code that was sent in a sign-in. It travels with the progress of the sign-in, and the store has no trace of it until it is
 * used. Safe because the progress is sealed: the browser cannot read the hash, which has only a million inputs.
 */
export interface SentCode {
  readonly id: string;
  /** The address that got the code: it is void once the user has another one. */
  readonly to: string;
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const digits = 6;

const hashOf = (id: string, code: string): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(['email-code', id, code]))
    .digest();

export const createEmailCode = (
  members: Pick<SentCode, 'to' | 'expiresAt'>,
): { readonly code: string; readonly sent: SentCode } => {
  const code = String(randomInt(10 ** digits)).padStart(digits, '0');
  const id = randomUUID();
  return { code, sent: { ...members, id, hash: hashOf(id, code).toString('base64url') } };
};

/** Whether this is the code that was sent. It is accepted once: of parallel calls, one claims its id. */
export const acceptEmailCode = async (
  store: Pick<FactorStore, 'claim'>,
  { id, hash, expiresAt }: SentCode,
  { code, now }: { readonly code: string; readonly now: number },
): Promise<boolean> =>
  expiresAt > now &&
  timingSafeEqual(hashOf(id, code), Buffer.from(hash, 'base64url')) &&
  store.claim(`email-code:${id}`, expiresAt);
