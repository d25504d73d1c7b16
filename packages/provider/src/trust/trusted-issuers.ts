import { createPublicKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto';
import type { FoundRecord, RecordKey, StorageAdapter, StoredRecord } from '@carnet/adapter-contract';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { CarnetError } from '../errors.ts';
import { asymmetricAlgorithms, privateJwkMembers } from '../jwk.ts';
import { type Page, type PageQuery, pageOf } from '../storage/page.ts';
import { payloadReader, strings } from '../storage/payload.ts';
import { recordId } from '../storage/record-id.ts';
import { hasOuterSpace, maxSubjectBytes, outerSpaceProblem } from '../subject.ts';
import { createRefuse, parseWith, type RefuseOptions } from '../validation.ts';

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

const keyOf = (id: string): RecordKey => ({ kind: 'trusted_issuer', id });

/**
 * The record id of an issuer: one record for each of its keys and subjects. An assertion names all three, so that one
 * read finds out whether it is trusted.
 */
export const trustedIssuerKey = (issuer: string, subject: string, kid: string): RecordKey =>
  keyOf(recordId(JSON.stringify([issuer, subject, kid])));

const toStoredIssuer = ({ id, ...issuer }: TrustedIssuer): StoredRecord => ({
  ...keyOf(id),
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

const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength, `must not be longer than ${maxLength} characters`)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters');

export const trustIssuer = z.object({
  issuer: text(512).default('').describe('The `iss` of the assertions.'),
  subject: text(maxSubjectBytes)
    .refine((name) => !hasOuterSpace(name), outerSpaceProblem)
    .default('')
    .describe('The only `sub` that the assertions may have.'),
  allowAnySubject: z.boolean().default(false).describe('Whether the assertions may have any `sub`.'),
  scope: z
    .array(text(512).regex(/^\S+$/, 'must not contain white space'))
    .max(100, 'must not have more than 100 items')
    .optional()
    .describe('The scopes that an access token issued for the assertions may have.'),
  jwk: z
    .looseObject({ kid: text(512).optional() })
    .optional()
    .describe('The public key that verifies the assertions.'),
  expiresAt: z.iso.datetime({ offset: true }).optional().describe('The time until which the issuer is trusted.'),
});

export interface TrustIssuer {
  /** The `iss` of the assertions. */
  readonly issuer: string;
  /** The only `sub` that the assertions may have. Either this or `allowAnySubject`. */
  readonly subject?: string;
  /** Whether the assertions may have any `sub`. Default false. */
  readonly allowAnySubject?: boolean;
  /** The scopes that an access token issued for the assertions may have. Default: none. */
  readonly scope?: readonly string[];
  /** The public key that verifies the assertions, with a `kid`. */
  readonly jwk: Readonly<Record<string, unknown>> & { readonly kid: string };
  /** The time until which the issuer is trusted: a Date, or text in the form of RFC 3339. */
  readonly expiresAt: Date | string;
}

export interface TrustedIssuerQuery extends PageQuery {
  /** Only issuers with this `iss`. Pages may have fewer entries. */
  readonly issuer?: string;
}

/** The issuers whose assertions clients exchange for access tokens (RFC 7523, section 2.1). */
export interface TrustedIssuers {
  /**
   * Trusts an issuer for a subject, or for any, with a key.
   *
   * @throws CarnetError `conflict` if it is already trusted, `missing_required_parameter`, `invalid_request`
   */
  create(issuer: TrustIssuer): Promise<TrustedIssuer>;
  /** @throws CarnetError `not_found` */
  get(id: string): Promise<TrustedIssuer>;
  /** Ends the trust. The tokens that were issued stay valid. @throws CarnetError `not_found` */
  delete(id: string): Promise<void>;
  list(query?: TrustedIssuerQuery): Promise<Page<TrustedIssuer>>;
}

export interface TrustedIssuersDependencies extends Clock {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit' | 'list'>;
  readonly naming?: RefuseOptions;
}

/** The last second that RFC 3339 can write. */
const latest = Date.UTC(9999, 11, 31, 23, 59, 59);

const timestamp = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** @throws CarnetError `missing_required_parameter`, `invalid_request` */
const parseTrustedIssuer = (sent: TrustIssuer, now: number, naming: RefuseOptions): TrustedIssuer => {
  const refuse = createRefuse(naming);
  const missing = (member: string, problem = 'is required'): CarnetError =>
    createRefuse({ ...naming, code: 'missing_required_parameter' })(member, problem);
  const withText = sent?.expiresAt instanceof Date ? { ...sent, expiresAt: sent.expiresAt.toISOString() } : sent;
  const parsed = parseWith(trustIssuer, withText, refuse);
  const { issuer, subject, allowAnySubject, scope = [], jwk, expiresAt } = parsed;
  if (issuer === '') throw missing('issuer');
  if (subject === '' && !allowAnySubject) throw missing('subject', 'is required, unless any subject is allowed');
  if (subject !== '' && allowAnySubject) throw missing('allowAnySubject', 'must not be set for a single subject');
  if (expiresAt === undefined) throw missing('expiresAt');
  if (!jwk?.kid) throw missing('jwk', "must contain a JWK with a 'kid'");
  const expires = Date.parse(expiresAt);
  if (expires <= now) throw refuse('expiresAt', 'is in the past');
  if (expires > latest) throw refuse('expiresAt', 'is after the year 9999');
  importPublicKey(jwk);
  return {
    id: trustedIssuerKey(issuer, subject, jwk.kid).id,
    issuer,
    subject,
    scope: [...new Set(scope)],
    jwk: { ...jwk, kid: jwk.kid },
    createdAt: timestamp(now),
    expiresAt: timestamp(expires),
  };
};

export const createTrustedIssuers = ({ adapter, naming = {}, now }: TrustedIssuersDependencies): TrustedIssuers => {
  const get = async (id: string): Promise<TrustedIssuer> => {
    const [found] = /^[A-Za-z0-9_-]{43}$/.test(id) ? await adapter.read([keyOf(id)]) : [];
    if (found === undefined) throw new CarnetError('not_found', '');
    return fromStoredIssuer(found);
  };

  return {
    get,
    async create(sent) {
      const issuer = parseTrustedIssuer(sent, now(), naming);
      const conflict = await adapter.commit([{ type: 'claim', record: toStoredIssuer(issuer) }]);
      if (conflict === undefined) return issuer;
      throw new CarnetError('conflict', 'The issuer is trusted for this subject with this key already.');
    },
    async delete(id) {
      await get(id);
      await adapter.commit([{ type: 'remove', key: keyOf(id) }]);
    },
    async list({ issuer, ...page } = {}) {
      const { records, next } = await adapter.list({ kind: 'trusted_issuer', ...pageOf(page) });
      const issuers = records.map(fromStoredIssuer);
      return { items: issuers.filter((one) => !issuer || one.issuer === issuer), next };
    },
  };
};
