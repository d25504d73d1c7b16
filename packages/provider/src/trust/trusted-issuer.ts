import { createPublicKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto';
import type { FoundRecord, RecordKey, StoredRecord } from '@carnet/adapter-contract';
import { z } from 'zod';
import { CarnetError } from '../errors.ts';
import { asymmetricAlgorithms, privateJwkMembers } from '../jwk.ts';
import { payloadReader, strings } from '../storage/payload.ts';
import { recordId } from '../storage/record-id.ts';

const stored = z.object({
  issuer: z.string(),
  /** Empty: any subject. */
  subject: z.string(),
  scope: strings,
  jwk: z.looseObject({ kid: z.string() }).readonly(),
  /** RFC 3339, whole seconds. */
  createdAt: z.string(),
  expiresAt: z.string(),
});

const readIssuer = payloadReader(stored);

/** An issuer whose assertions about a subject, or any, are exchanged for access tokens (RFC 7523, section 2.1). */
export type TrustedIssuer = Readonly<z.output<typeof stored>> & { readonly id: string };

/**
 * The record id of an issuer: one record for each of its keys and subjects. An assertion names all three, so that one
 * read finds out whether it is trusted.
 */
export const trustedIssuerKey = (issuer: string, subject: string, kid: string): RecordKey => ({
  kind: 'trusted_issuer',
  id: recordId(JSON.stringify([issuer, subject, kid])),
});

export const toStoredIssuer = ({ id, ...issuer }: TrustedIssuer): StoredRecord => ({
  kind: 'trusted_issuer',
  id,
  payload: JSON.stringify(issuer),
  expiresAt: new Date(issuer.expiresAt),
});

export const fromStoredIssuer = (record: Pick<FoundRecord, 'id' | 'kind' | 'payload'>): TrustedIssuer => ({
  id: record.id,
  ...readIssuer(record),
});

/** Imports a key that verifies signatures of an asymmetric algorithm. @throws CarnetError `invalid_request` */
export const importPublicKey = (jwk: Readonly<Record<string, unknown>>): KeyObject => {
  const refuse = (problem: string, cause?: unknown): CarnetError =>
    new CarnetError('invalid_request', `Field 'jwk' ${problem}`, { cause });
  if (privateJwkMembers.some((member) => jwk[member] !== undefined))
    throw refuse(
      'is a private or symmetric key: send the public key, and replace this key pair, because its secret was disclosed.',
    );
  if (jwk.use !== undefined && jwk.use !== 'sig') throw refuse('is not for signatures.');
  if (jwk.alg !== undefined && !asymmetricAlgorithms.some((alg) => alg === jwk.alg))
    throw refuse('names no asymmetric signature algorithm.');
  try {
    const key = createPublicKey({ key: jwk as JsonWebKeyInput['key'], format: 'jwk' });
    if ((key.asymmetricKeyDetails?.modulusLength ?? 2048) >= 2048) return key;
  } catch (cause) {
    throw refuse('is not a public key in the form of RFC 7517.', cause);
  }
  throw refuse('is an RSA key of less than 2048 bits.');
};
