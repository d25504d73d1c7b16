import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { FoundRecord, RecordKey, StoredRecord } from '@carnet/adapter-contract';
import { z } from 'zod';
import { CarnetError } from '../errors.ts';
import { asymmetricAlgorithms, privateJwkMembers } from '../jwk.ts';
import { recordId } from '../storage/record-id.ts';
import { hasOuterSpace, maxSubjectBytes, outerSpaceProblem } from '../subject.ts';

/** An issuer whose assertions about a subject, or any, are exchanged for access tokens (RFC 7523, section 2.1). */
export interface TrustedIssuer {
  readonly id: string;
  readonly issuer: string;
  /** Empty: any. */
  readonly subject: string;
  readonly scope: readonly string[];
  readonly jwk: Readonly<Record<string, unknown>> & { readonly kid: string };
  /** RFC 3339, whole seconds. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

/**
 * What an issuer is stored under, one record for each of its keys and subjects: an assertion names all three, so that it
 * takes one read to know whether it is trusted.
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

export const fromStoredIssuer = ({ id, payload }: Pick<FoundRecord, 'id' | 'payload'>): TrustedIssuer => ({
  id,
  ...(JSON.parse(payload) as Omit<TrustedIssuer, 'id'>),
});

const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u);

/** As Hydra reads it: unknown members are ignored. */
export const trustedIssuerBody = z.object({
  issuer: text(512).default('').describe('The `iss` of the assertions.'),
  subject: text(maxSubjectBytes)
    .refine((name) => !hasOuterSpace(name), outerSpaceProblem)
    .default('')
    .describe('The only `sub` that the assertions may have.'),
  allow_any_subject: z.boolean().default(false).describe('Whether the assertions may have any `sub`.'),
  scope: z
    .array(text(512).regex(/^\S+$/))
    .max(100)
    .nullish()
    .describe('The scopes that an access token issued for the assertions may have.'),
  jwk: z
    .looseObject({ kid: text(512).optional() })
    .optional()
    .describe('The public key that verifies the assertions.'),
  expires_at: z.iso.datetime({ offset: true }).optional().describe('The time until which the issuer is trusted.'),
});

const missing = (problem: string): CarnetError => new CarnetError('missing_required_parameter', problem);

/** A key that signatures of an algorithm without shared secret can be verified with. Throws `invalid_request`. */
export const importPublicKey = (jwk: Readonly<Record<string, unknown>>): KeyObject => {
  const refuse = (problem: string, cause?: unknown): CarnetError =>
    new CarnetError('invalid_request', `Field 'jwk' ${problem}`, { cause });
  if (privateJwkMembers.some((member) => jwk[member] !== undefined))
    throw refuse('is a private or symmetric key: give the public one, and replace the one that was sent here.');
  if (jwk.use !== undefined && jwk.use !== 'sig') throw refuse('is not for signatures.');
  if (jwk.alg !== undefined && !asymmetricAlgorithms.some((alg) => alg === jwk.alg))
    throw refuse('names no asymmetric signature algorithm.');
  try {
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    if ((key.asymmetricKeyDetails?.modulusLength ?? 2048) >= 2048) return key;
  } catch (cause) {
    throw refuse('is not a public key in the form of RFC 7517.', cause);
  }
  throw refuse('is an RSA key of less than 2048 bits.');
};

/** The last second that RFC 3339 can write. */
const latest = Date.UTC(9999, 11, 31, 23, 59, 59);

const seconds = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

/**
 * Reads what an administrator says of an issuer.
 * @throws CarnetError `missing_required_parameter`, `invalid_request`
 */
export const parseTrustedIssuer = (body: unknown, now: number): TrustedIssuer => {
  const parsed = trustedIssuerBody.safeParse(body);
  if (!parsed.success) {
    const places = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
    throw new CarnetError('invalid_request', places ? `Not valid: ${places}.` : 'The body must be a JSON object.');
  }
  const { issuer, subject, allow_any_subject: isAnySubject, scope, jwk, expires_at } = parsed.data;
  if (issuer === '') throw missing("Field 'issuer' is required.");
  if (subject === '' && !isAnySubject)
    throw missing("One of the fields 'subject' and 'allow_any_subject' must be set.");
  if (subject !== '' && isAnySubject)
    throw missing("The fields 'subject' and 'allow_any_subject' can not both be set: choose one.");
  if (expires_at === undefined) throw missing("Field 'expires_at' is required.");
  if (!jwk?.kid) throw missing("Field 'jwk' must contain a JWK with a 'kid'.");
  const expires = Date.parse(expires_at);
  if (expires <= now) throw new CarnetError('invalid_request', "Field 'expires_at' is in the past.");
  if (expires > latest) throw new CarnetError('invalid_request', "Field 'expires_at' is after the year 9999.");
  importPublicKey(jwk);
  return {
    id: trustedIssuerKey(issuer, subject, jwk.kid).id,
    issuer,
    subject,
    scope: [...new Set(scope ?? [])],
    jwk: { ...jwk, kid: jwk.kid },
    createdAt: seconds(now),
    expiresAt: seconds(expires),
  };
};
