import { hash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ClientRecord } from '../clients/client-record.ts';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import { openJwt } from '../keys/signing/open-jwt.ts';
import type { SigningAlgorithm } from '../keys/signing/signer.ts';
import type { SigningKeys } from '../keys/signing/signing-keys.ts';
import { strings } from '../storage/payload.ts';
import { isAccessToken } from './access-token.ts';
import type { CreateClientJwt } from './client-jwt.ts';
import type { GrantPayload } from './grant-details.ts';
import { type Lifetimes, lifetimeOf } from './lifetimes.ts';

export const authenticationShape = {
  sid: z.string().optional(),
  /** Seconds since 1970. */
  authTime: z.number().optional(),
  nonce: z.string().optional(),
  acr: z.string().optional(),
  amr: strings.optional(),
};

/** How and when the user has authenticated. Codes and refresh tokens carry it to the ID tokens issued for them. */
export type Authentication = Readonly<z.output<z.ZodObject<typeof authenticationShape>>>;

/** The authentication in a larger object: a login decision, or the stored payload of a refresh token. */
export const authenticationOf = ({ sid, authTime, nonce, acr, amr }: Authentication): Authentication => ({
  sid,
  authTime: authTime || undefined,
  nonce,
  acr,
  amr,
});

/** Everything that the claims of an ID token are made of. */
export interface IdTokenParts {
  readonly client: ClientRecord;
  /** Decides the lifetime. `implicit` at the authorization endpoint. */
  readonly grantType: string;
  /** The user, as the login app knows them. */
  readonly accountId: string;
  readonly grant: Pick<GrantPayload, 'idToken' | 'forcedSubject'>;
  readonly authentication: Authentication;
  /** The `id_token` member of the `claims` parameter (OpenID Connect Core, section 5.5). */
  readonly requested?: Readonly<Record<string, unknown>>;
  /** No access token is issued for the request (`response_type=id_token`), so there is no userinfo (section 5.4). */
  readonly isWithoutUserinfo?: boolean;
  /** The values of the same response whose hashes the ID token contains. */
  readonly hashed: { readonly accessToken?: string; readonly code?: string; readonly state?: string };
  /** Seconds since 1970. */
  readonly iat: number;
}

export interface IdTokenDependencies {
  readonly options: {
    readonly issuer: string;
    readonly ttl: Pick<Lifetimes, 'idToken'>;
    /** For clients that registered none. */
    readonly idTokenAlg: SigningAlgorithm;
    /** `requested`: claims of the consent app only if the `claims` parameter names them. */
    readonly idTokenClaims: 'always' | 'requested';
  };
  readonly subjects: Pick<SubjectIdentifiers, 'present'>;
  readonly createClientJwt: CreateClientJwt;
}

/** The left half of a hash (OpenID Connect Core, section 3.1.3.6), by the algorithm that the ID token is signed with. */
const halfHash = (alg: string, value: string | undefined): string | undefined => {
  if (value === undefined) return undefined;
  const digest = hash(alg === 'EdDSA' ? 'sha512' : 'sha256', value, 'buffer');
  return digest.toString('base64url', 0, digest.length / 2);
};

type Claim = (parts: IdTokenParts & { readonly alg: string }, deps: IdTokenDependencies) => unknown;

/** The claims that Carnet sets (OpenID Connect Core, sections 2 and 3.3.2.11). One that is undefined is left out. */
const claims: Readonly<Record<string, Claim>> = {
  sub: ({ client, accountId, grant }, { subjects }) => subjects.present(client, accountId, grant.forcedSubject),
  auth_time: ({ authentication }) => authentication.authTime,
  acr: ({ authentication }) => authentication.acr,
  amr: ({ authentication }) => authentication.amr,
  nonce: ({ authentication }) => authentication.nonce,
  sid: ({ authentication }) => authentication.sid,
  at_hash: ({ alg, hashed }) => halfHash(alg, hashed.accessToken),
  c_hash: ({ alg, hashed }) => halfHash(alg, hashed.code),
  // FAPI 1.0 part 2, section 5.1.
  s_hash: ({ alg, hashed }) => halfHash(alg, hashed.state),
  jti: () => randomUUID(),
  aud: ({ client }) => client.id,
  exp: ({ client, grantType, iat }, { options }) =>
    iat + lifetimeOf(client, grantType, 'id_token', options.ttl.idToken),
  iat: ({ iat }) => iat,
  iss: (_, { options }) => options.issuer,
};

/**
 * The names that only Carnet uses, in ID tokens and userinfo. An ID token with `events` could be replayed as a logout token,
 * and oidc-provider recognizes plain objects by `constructor`.
 */
const reserved = new Set([...Object.keys(claims), 'nbf', 'azp', 'cnf', 'events', 'constructor']);

/** The claims of the consent app, without reserved names. */
export const freeClaims = (given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !reserved.has(name)));

export interface IdTokens {
  /**
   * Issues an ID token (OpenID Connect Core, section 2), signed, and encrypted if the client registered that.
   *
   * @param options.maxLength characters. A longer ID token leaves out the claims of the consent app, which userinfo has
   * as well.
   * @throws {OAuthError} `invalid_client_metadata` if the client has no key to encrypt to
   */
  issue(parts: IdTokenParts, options?: { readonly maxLength?: number }): Promise<string>;
}

const pick = (from: Readonly<Record<string, unknown>>, names: object) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => Object.hasOwn(names, name)));

const entries = Object.entries(claims);

export const createIdTokens = (deps: IdTokenDependencies): IdTokens => {
  const { options, createClientJwt } = deps;

  /** The claims of the consent app that this ID token contains. */
  const givenClaims = ({ grant: { idToken = {} }, requested = {}, isWithoutUserinfo }: IdTokenParts) =>
    freeClaims(options.idTokenClaims === 'always' || isWithoutUserinfo ? idToken : pick(idToken, requested));

  return {
    issue(parts, { maxLength } = {}) {
      const { client } = parts;
      const { metadata } = client;
      const alg = metadata.id_token_signed_response_alg ?? options.idTokenAlg;
      const { id_token_encrypted_response_alg: encryptionAlg, id_token_encrypted_response_enc: enc } = metadata;
      const form = { alg, encryptionAlg, enc };
      const withAlg = { ...parts, alg };
      const own = Object.fromEntries(entries.map(([name, claim]) => [name, claim(withAlg, deps)]));
      const whole = createClientJwt({ ...givenClaims(parts), ...own }, client, form);
      if (maxLength === undefined) return whole;
      return whole.then((jwt) => (jwt.length > maxLength ? createClientJwt(own, client, form) : jwt));
    },
  };
};

/** Whether a JWT of this issuer may be an ID token. Logout tokens have another type, userinfo has no `jti` and no `sid`. */
const isIdToken = (typ: unknown, claims: Readonly<Record<string, unknown>>): boolean =>
  (typ ?? 'JWT') === 'JWT' && !isAccessToken(typ, claims) && (claims.jti ?? claims.sid) !== undefined;

interface IdTokenIssuer {
  readonly keys: SigningKeys;
  readonly issuer: string;
}

/**
 * Opens an ID token of this issuer, of any age.
 *
 * @returns undefined for any other token
 */
export const openIdToken = ({ keys, issuer }: IdTokenIssuer, jwt: string) => {
  const opened = openJwt(keys, jwt);
  if (opened === undefined || !isIdToken(opened.typ, opened.claims)) return undefined;
  const { iss, aud, sub: subject, ...claims } = opened.claims;
  if (iss !== issuer || typeof subject !== 'string') return undefined;
  return { subject, audience: [aud ?? []].flat(), claims };
};

export interface IdTokenHint {
  readonly clientId: string;
  readonly subject: string;
  readonly sid?: string;
}

/**
 * Opens an ID token that a client sent as a hint. Expired ones are accepted (RP-Initiated Logout 1.0, section 4).
 *
 * @returns undefined for any other token
 */
export const openIdTokenHint = (from: IdTokenIssuer, jwt: string): IdTokenHint | undefined => {
  const opened = openIdToken(from, jwt);
  // Ory Hydra writes a list of one. A token for several clients names none of them as the one that asks.
  const [clientId, ...others] = opened?.audience ?? [];
  if (opened === undefined || typeof clientId !== 'string' || others.length > 0) return undefined;
  const { sid } = opened.claims;
  return { clientId, subject: opened.subject, sid: typeof sid === 'string' ? sid : undefined };
};
