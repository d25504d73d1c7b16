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

/** Opens a challenge and claims it in the store: the claim makes each challenge single use, in all processes. */
export const takeChallenge = async (
  { vault, store }: { readonly vault: Vault; readonly store: Pick<FactorStore, 'claim'> },
  place: ChallengePlace,
  sealed: string,
  now: number,
): Promise<Challenge | undefined> => {
  const opened = openExpiring<Challenge>(vault, place, sealed, now);
  if (opened === undefined) return undefined;
  return (await store.claim(`passkey:${opened.challenge}`, opened.expiresAt)) ? opened : undefined;
};
