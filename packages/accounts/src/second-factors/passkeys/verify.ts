import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import type { PasskeyRequest, PasskeyVerdict, RelyingParty, SecondFactors } from '../second-factors.ts';
import { acceptOnce } from '../secrets/accept-once.ts';
import type { Factor } from '../store.ts';
import { assertTopLevel } from './assert-top-level.ts';
import { type ChallengePlace, claimChallenge, createChallenge, openChallenge, sealChallenge } from './challenge.ts';
import type { PasskeyDependencies } from './enrol.ts';
import { credentialOf, descriptorOf, passkeyPayload } from './passkey-factor.ts';

/** Base64url of at most 1,023 bytes. A NUL would make a query of Postgres fail. */
const credentialId = /^[\w-]{1,1364}$/;

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
    assertTopLevel(response.response.clientDataJSON);
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

/**
 * The reason why the passkey does not belong to the user; undefined if it does. WebAuthn level 3, section 7.2, step 6:
 * without a login name, the user handle identifies the user and must be there.
 */
const ownerProblem = (
  factor: Factor,
  response: AuthenticationResponseJSON,
  subject: string | undefined,
): string | undefined => {
  if (subject !== undefined && factor.subject !== subject) return 'The passkey belongs to another user.';
  const userHandle = response.response?.userHandle ?? undefined;
  if (userHandle === undefined) return subject === undefined ? 'The user handle is missing.' : undefined;
  return userHandle === passkeyPayload(factor).userHandle ? undefined : 'The user handle belongs to another user.';
};

const refused = (reason: string): PasskeyVerdict => ({ outcome: 'refused', reason });

/** WebAuthn level 3, section 7.2. */
export const verifyPasskey = async (
  deps: PasskeyDependencies,
  { binding, challenge: sealed, response, subject }: Parameters<SecondFactors['verifyPasskey']>[0],
): Promise<PasskeyVerdict> => {
  const now = deps.now();
  const opened = openChallenge(deps.vault, placeOf(binding), sealed, now);
  if (opened === undefined) return { outcome: 'expired' };
  // The library checks the shape of each member.
  const assertion = response as unknown as AuthenticationResponseJSON;
  const isId = typeof assertion.id === 'string' && credentialId.test(assertion.id);
  const factor = isId ? await deps.store.findPasskey(assertion.id) : undefined;
  if (factor === undefined) return refused('The passkey is not known.');
  const problem = ownerProblem(factor, assertion, subject);
  if (problem !== undefined) return refused(problem);
  const first = await verify(deps.rp, opened.challenge, factor, assertion);
  if (typeof first === 'string') return refused(first);
  if (!(await claimChallenge(deps.store, opened))) return { outcome: 'expired' };
  let reason = 'Too many requests used the passkey at the same time.';
  const used = await acceptOnce(deps.store, factor, now, async (current) => {
    const counter = current === factor ? first : await verify(deps.rp, opened.challenge, current, assertion);
    if (typeof counter === 'number') return { counter };
    reason = counter;
    return undefined;
  });
  if (used === undefined) return refused(reason);
  const { isSynced } = passkeyPayload(used);
  return { outcome: 'accepted', subject: used.subject, verified: { kind: 'passkey', id: used.id, isSynced } };
};
