import { hash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ClientRecord } from '../clients/client-record.ts';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import { strings } from '../storage/payload.ts';
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
  authTime,
  nonce,
  acr,
  amr,
});

/** The values of the same response whose hashes an ID token contains. */
export interface HashedValues {
  readonly accessToken?: string;
  readonly code?: string;
  readonly state?: string;
}

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
  readonly hashed: HashedValues;
  /** Seconds since 1970. */
  readonly iat: number;
}

export interface IdTokenClaimDependencies {
  readonly options: { readonly issuer: string; readonly ttl: Pick<Lifetimes, 'idToken'> };
  readonly subjects: Pick<SubjectIdentifiers, 'present'>;
}

/** The left half of a hash (OpenID Connect Core, section 3.1.3.6), by the algorithm that the ID token is signed with. */
const halfHash = (alg: string, value: string | undefined): string | undefined => {
  if (value === undefined) return undefined;
  const digest = hash(alg === 'EdDSA' ? 'sha512' : 'sha256', value, 'buffer');
  return digest.toString('base64url', 0, digest.length / 2);
};

type Claim = (parts: IdTokenParts & { readonly alg: string }, deps: IdTokenClaimDependencies) => unknown;

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

const entries = Object.entries(claims);

const idTokenClaimNames: readonly string[] = Object.keys(claims);

/** @param parts.alg the algorithm that the ID token is signed with */
export const idTokenClaims = (
  parts: Parameters<Claim>[0],
  deps: IdTokenClaimDependencies,
): Readonly<Record<string, unknown>> => Object.fromEntries(entries.map(([name, claim]) => [name, claim(parts, deps)]));

/** The names that only Carnet uses, in ID tokens and userinfo. */
const reserved: ReadonlySet<string> = new Set([
  ...idTokenClaimNames,
  'nbf',
  'azp',
  'cnf',
  // The claim of logout tokens: an ID token with it could be replayed as one.
  'events',
  // oidc-provider recognizes plain objects by this member.
  'constructor',
]);

/** The claims of the consent app, without reserved names. */
export const freeClaims = (given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !reserved.has(name)));
