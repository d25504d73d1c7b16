import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import type { PasskeyRequest, PasskeyVerdict, RelyingParty, SecondFactors } from '../second-factors.ts';
import { acceptOnce } from '../secrets/accept-once.ts';
import type { Factor } from '../store.ts';
import { type ChallengePlace, createChallenge, sealChallenge, takeChallenge } from './challenge.ts';
import type { PasskeyDependencies } from './enrol.ts';
import { credentialOf, descriptorOf, passkeyPayload } from './passkey-factor.ts';

/** Base64url. Postgres has no text with NUL, and would fail. */
const credentialId = /^[\w-]{1,1400}$/;

const placeOf = (binding: string): ChallengePlace => ['passkey-sign-in', binding];

/** WebAuthn level 3, section 7.2, step 1. Without a subject, the browser offers every passkey for this relying party. */
export const signInOptions = async (
  { store, vault, rp, now }: PasskeyDependencies,
  { binding, subject }: Parameters<SecondFactors['passkeyOptions']>[0],
): Promise<PasskeyRequest> => {
  const factors = subject === undefined ? [] : await store.list(subject);
  const challenge = createChallenge();
  const options = await generateAuthenticationOptions({
    rpID: rp.id,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    userVerification: 'required',
    allowCredentials: factors.filter(({ kind }) => kind === 'passkey').map(descriptorOf),
  });
  return { options: { ...options }, challenge: sealChallenge(vault, placeOf(binding), { challenge }, now()) };
};

/** The new counter, or the reason of the refusal. The library compares counters only if one of the two is above zero. */
const verify = async (
  rp: RelyingParty,
  challenge: string,
  factor: Factor,
  response: AuthenticationResponseJSON,
): Promise<number | string> => {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: [...rp.origins],
      expectedRPID: rp.id,
      credential: credentialOf(factor),
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : 'The signature is not valid.';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const isOfUser = (factor: Factor, response: AuthenticationResponseJSON): boolean => {
  const userHandle = response.response?.userHandle;
  return userHandle === undefined || userHandle === null || userHandle === passkeyPayload(factor).userHandle;
};

/** WebAuthn level 3, section 7.2. */
export const verifyPasskey = async (
  deps: PasskeyDependencies,
  { binding, challenge: sealed, response, subject }: Parameters<SecondFactors['verifyPasskey']>[0],
): Promise<PasskeyVerdict> => {
  const now = deps.now();
  const taken = await takeChallenge(deps, placeOf(binding), sealed, now);
  if (taken === undefined) return { outcome: 'expired' };
  // The library checks the shape of each member.
  const assertion = response as unknown as AuthenticationResponseJSON;
  const isId = typeof assertion.id === 'string' && credentialId.test(assertion.id);
  const factor = isId ? await deps.store.findPasskey(assertion.id) : undefined;
  if (factor === undefined) return { outcome: 'refused', reason: 'The passkey is not known.' };
  if (subject !== undefined && factor.subject !== subject)
    return { outcome: 'refused', reason: 'The passkey belongs to another user.' };
  if (!isOfUser(factor, assertion)) return { outcome: 'refused', reason: 'The user handle belongs to another user.' };
  let reason = 'Too many requests used the passkey at the same time.';
  const used = await acceptOnce(deps.store, factor, now, async (current) => {
    const counter = await verify(deps.rp, taken.challenge, current, assertion);
    if (typeof counter === 'number') return { counter };
    reason = counter;
    return undefined;
  });
  if (used === undefined) return { outcome: 'refused', reason };
  const { isSynced } = passkeyPayload(used);
  return { outcome: 'accepted', subject: used.subject, verified: { kind: 'passkey', id: used.id, isSynced } };
};
