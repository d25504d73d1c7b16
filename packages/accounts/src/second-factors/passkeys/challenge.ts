import { randomBytes } from 'node:crypto';
import { openExpiring, sealExpiring } from '../secrets/sealed-text.ts';
import type { FactorStore, Vault } from '../store.ts';

const lifetimeMs = 600_000;

/** A WebAuthn challenge. Undefined members are absent. */
interface Challenge {
  /** Base64url. */
  readonly challenge: string;
  /** The user handle of a registration. */
  readonly userHandle?: string;
}

/** The place binds a challenge to its purpose: a registration of a user, or a sign-in of a login challenge. */
export type ChallengePlace = readonly ['passkey-enrolment' | 'passkey-sign-in', string];

export const createChallenge = (): string => randomBytes(32).toString('base64url');

export const sealChallenge = (vault: Vault, place: ChallengePlace, value: Challenge, now: number): string =>
  sealExpiring(vault, place, value, now + lifetimeMs);

type Opened = Challenge & { readonly expiresAt: number };

/** Undefined if it was changed, has expired, or belongs to another place. */
export const openChallenge = (vault: Vault, place: ChallengePlace, sealed: string, now: number): Opened | undefined =>
  openExpiring<Challenge>(vault, place, sealed, now);

/**
 * Claims a challenge in the store: it is used once, in all processes. Returns false if it was claimed before.
 *
 * Called after the verification of the answer, so that only the holder of a passkey causes a write. A refused answer leaves
 * the challenge unused, which is safe: the challenge is 32 random bytes of this server, bound to one user or one login
 * challenge, and expires after ten minutes. The next answer needs a valid signature of it too, which cannot be guessed.
 */
export const claimChallenge = (store: Pick<FactorStore, 'claim'>, { challenge, expiresAt }: Opened): Promise<boolean> =>
  store.claim(`passkey:${challenge}`, expiresAt);
