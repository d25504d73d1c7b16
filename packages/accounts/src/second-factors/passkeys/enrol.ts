import { randomBytes } from 'node:crypto';
import {
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  type VerifiedRegistrationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import { listed, newFactor } from '../manage-factors.ts';
import type { PasskeyEnrolment, PasskeyRequest, RelyingParty, SecondFactors } from '../second-factors.ts';
import type { Factor, FactorStore, Vault } from '../store.ts';
import { assertTopLevel } from './assert-top-level.ts';
import { type ChallengePlace, claimChallenge, createChallenge, openChallenge, sealChallenge } from './challenge.ts';
import { descriptorOf, type PasskeyPayload, passkeyPayload } from './passkey-factor.ts';

export interface PasskeyDependencies {
  readonly store: FactorStore;
  readonly vault: Vault;
  readonly rp: RelyingParty;
  readonly now: () => number;
}

/**
 * EdDSA, ES256 and RS256. The library prefers ML-DSA-44 on Node.js 24: a passkey with such a key could not be verified
 * on Node.js 22.
 */
const supportedAlgorithmIDs = [-8, -7, -257];

/** WebAuthn level 3, section 7.1: longer ids are refused. */
const maximumIdSizeBytes = 1023;

const placeOf = (subject: string): ChallengePlace => ['passkey-enrolment', subject];

const passkeysOf = async (store: FactorStore, subject: string): Promise<readonly Factor[]> =>
  (await store.list(subject)).filter(({ kind }) => kind === 'passkey');

/** WebAuthn level 3, section 7.1, step 1. */
export const enrolmentOptions = async (
  { store, vault, rp, now }: PasskeyDependencies,
  input: Parameters<SecondFactors['passkeyEnrolmentOptions']>[0],
): Promise<PasskeyRequest> => {
  const passkeys = await passkeysOf(store, input.subject);
  const existing = passkeys[0] && passkeyPayload(passkeys[0]).userHandle;
  const userHandle = existing ?? randomBytes(32).toString('base64url');
  const challenge = createChallenge();
  const options = await generateRegistrationOptions({
    rpName: rp.name,
    rpID: rp.id,
    userName: input.account,
    userDisplayName: input.displayName,
    userID: new Uint8Array(Buffer.from(userHandle, 'base64url')),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    attestationType: 'none',
    excludeCredentials: passkeys.map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs,
  });
  return {
    options: { ...options },
    challenge: sealChallenge(vault, placeOf(input.subject), { challenge, userHandle }, now()),
  };
};

/**
 * The response of a registration with the attestation `none`, whatever the browser sent. Authenticators of every vendor are accepted.
 *
 * Safe because no certificate from the browser is parsed. The library would fetch the revocation list from any URL that a
 * certificate names, before it knows who issued the certificate.
 *
 * @throws if the attestation object cannot be decoded
 */
const withoutAttestation = (response: RegistrationResponseJSON): RegistrationResponseJSON => {
  const sent = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject));
  const object = new Map<string, string | Map<string, never> | Uint8Array<ArrayBuffer>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, never>()],
    ['authData', sent.get('authData')],
  ]);
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(object));
  return { ...response, response: { ...response.response, attestationObject } };
};

type Registration = Extract<VerifiedRegistrationResponse, { verified: true }>['registrationInfo'];

/** The registration, or the reason of the refusal. */
const verify = async (
  rp: RelyingParty,
  challenge: string,
  response: Readonly<Record<string, unknown>>,
): Promise<Registration | string> => {
  // The library checks the shape of each member.
  const attestation = response as unknown as RegistrationResponseJSON;
  try {
    assertTopLevel(attestation.response.clientDataJSON);
    const verified = await verifyRegistrationResponse({
      response: withoutAttestation(attestation),
      expectedChallenge: challenge,
      expectedOrigin: [...rp.origins],
      expectedRPID: rp.id,
      requireUserVerification: true,
      supportedAlgorithmIDs,
    });
    if (!verified.verified) return 'The attestation is not valid.';
    const { credential } = verified.registrationInfo;
    if (isoBase64URL.toBuffer(credential.id).length <= maximumIdSizeBytes) return verified.registrationInfo;
    return 'The credential id has more than 1,023 bytes.';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** WebAuthn level 3, section 7.1. */
export const enrolPasskey = async (
  deps: PasskeyDependencies,
  { subject, challenge: sealed, response, label = '' }: Parameters<SecondFactors['enrolPasskey']>[0],
): Promise<PasskeyEnrolment> => {
  const now = deps.now();
  const opened = openChallenge(deps.vault, placeOf(subject), sealed, now);
  if (opened?.userHandle === undefined) return { outcome: 'expired' };
  const verified = await verify(deps.rp, opened.challenge, response);
  if (typeof verified === 'string') return { outcome: 'not_verified', reason: verified };
  if (!(await claimChallenge(deps.store, opened))) return { outcome: 'expired' };
  const { credential, credentialDeviceType } = verified;
  const payload: PasskeyPayload = {
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    transports: credential.transports ?? [],
    userHandle: opened.userHandle,
    isSynced: credentialDeviceType === 'multiDevice',
  };
  const { id, counter } = credential;
  const factor = newFactor({ id, subject, kind: 'passkey', label, payload: JSON.stringify(payload), counter }, now);
  if (!(await deps.store.add(factor))) return { outcome: 'already_registered' };
  const { isSynced } = payload;
  return { outcome: 'enrolled', factor: listed(factor), verified: { kind: 'passkey', id, isSynced } };
};
