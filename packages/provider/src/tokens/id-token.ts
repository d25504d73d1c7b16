import { hash, randomUUID } from 'node:crypto';
import type { ClientRecord } from '../clients/client-record.ts';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import { CarnetError } from '../errors.ts';
import { createSignJwt } from '../keys/sign-jwt.ts';
import type { SigningAlgorithm } from '../keys/signer.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { type EncryptionKeys, encryptJwt } from './encrypt-jwt.ts';
import { freeClaims } from './extra-claims.ts';
import type { GrantPayload } from './grant-details.ts';
import { type Lifetimes, lifetimeOf } from './lifetimes.ts';

/** How and when the user has authenticated. Codes and refresh tokens carry it to the ID tokens issued for them. */
export interface Authentication {
  readonly sid?: string;
  /** Seconds since 1970. */
  readonly authTime?: number;
  readonly nonce?: string;
  readonly acr?: string;
  readonly amr?: readonly string[];
}

/** The values of the same response whose hashes an ID token contains. */
export interface HashedValues {
  readonly accessToken?: string;
  readonly code?: string;
  readonly state?: string;
}

/** Everything that an ID token is made of. */
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
  /** Characters. A longer ID token leaves out the claims of the consent app, which userinfo has as well. */
  readonly maxLength?: number;
  /** Seconds since 1970. */
  readonly iat: number;
}

export interface IdTokens {
  /**
   * Issues an ID token (OpenID Connect Core, section 2), signed, and encrypted if the client registered that.
   *
   * @throws an OAuth error `invalid_client_metadata` if the client has no key to encrypt to
   */
  issue(parts: IdTokenParts): Promise<string>;
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
  readonly signingKeys: Pick<SigningKeys, 'signers'>;
  readonly encryptionKeys: EncryptionKeys;
}

/** The left half of a hash (OpenID Connect Core, section 3.1.3.6), by the algorithm that the ID token is signed with. */
const halfHash = (alg: string, value: string | undefined): string | undefined => {
  if (value === undefined) return undefined;
  const digest = hash(alg === 'EdDSA' ? 'sha512' : 'sha256', value, 'buffer');
  return digest.toString('base64url', 0, digest.length / 2);
};

const pick = (from: Readonly<Record<string, unknown>>, names: object) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => Object.hasOwn(names, name)));

export const createIdTokens = ({
  options: { issuer, ttl, idTokenAlg, idTokenClaims },
  subjects,
  signingKeys,
  encryptionKeys,
}: IdTokenDependencies): IdTokens => {
  const signs = new Map<string, (claims: object) => Promise<string>>(
    signingKeys.signers.toReversed().map((signer) => [signer.alg, createSignJwt(signer)]),
  );

  /** The claims that the consent app gave, as far as this ID token has them. */
  const givenClaims = ({ grant: { idToken = {} }, requested = {}, isWithoutUserinfo }: IdTokenParts) =>
    freeClaims(idTokenClaims === 'always' || isWithoutUserinfo ? idToken : pick(idToken, requested));

  const ownClaims = (alg: string, parts: IdTokenParts) => {
    const { client, grantType, accountId, grant, authentication, hashed, iat } = parts;
    const { sid, authTime, nonce, acr, amr } = authentication;
    return {
      sub: subjects.present(client, accountId, grant.forcedSubject),
      auth_time: authTime,
      acr,
      amr,
      nonce,
      sid,
      at_hash: halfHash(alg, hashed.accessToken),
      c_hash: halfHash(alg, hashed.code),
      s_hash: halfHash(alg, hashed.state),
      jti: randomUUID(),
      aud: client.id,
      exp: iat + lifetimeOf(client, grantType, 'id_token', ttl.idToken),
      iat,
      iss: issuer,
    };
  };

  const form = async (jwt: string, client: ClientRecord): Promise<string> => {
    const { id_token_encrypted_response_alg: alg, id_token_encrypted_response_enc: enc } = client.metadata;
    if (alg === undefined) return jwt;
    const key = await encryptionKeys.find(client, alg);
    return encryptJwt(jwt, { key, alg, enc, issuer, audience: client.id });
  };

  return {
    async issue(parts) {
      const { client, maxLength = Number.POSITIVE_INFINITY } = parts;
      const alg = client.metadata.id_token_signed_response_alg ?? idTokenAlg;
      const sign = signs.get(alg);
      if (sign === undefined) throw new CarnetError('server_error', `no signing key for ${alg}`);
      const own = ownClaims(alg, parts);
      const whole = await form(await sign({ ...givenClaims(parts), ...own }), client);
      return whole.length > maxLength ? form(await sign(own), client) : whole;
    },
  };
};
