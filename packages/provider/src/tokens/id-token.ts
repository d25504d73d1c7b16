import { hash, randomUUID } from 'node:crypto';
import type { ClientRecord } from '../clients/client-record.ts';
import { createSignJwt } from '../keys/sign-jwt.ts';
import { isSigningAlgorithm, type SigningAlgorithm } from '../keys/signer.ts';
import type { OidcDependencies } from '../library/dependencies.ts';
import { freeClaims } from './extra-claims.ts';
import type { GrantPayload } from './grant-details.ts';
import { lifetimeOf } from './lifetimes.ts';

/** How and when a person has authenticated, as codes and refresh tokens have it. */
export interface Authentication {
  readonly sid: string;
  /** Seconds since 1970. */
  readonly authTime: number;
  readonly nonce?: string;
  readonly acr?: string;
  readonly amr?: readonly string[];
}

/** What an ID token that comes with an access token is made of. */
export interface IdTokenParts {
  readonly client: ClientRecord;
  readonly grantType: string;
  readonly accountId: string;
  readonly grant: Pick<GrantPayload, 'idToken' | 'forcedSubject'>;
  readonly authentication: Authentication;
  readonly accessToken: string;
  /** Seconds since 1970. */
  readonly iat: number;
}

/** The left half of a hash (OpenID Connect Core, section 3.1.3.6), by the algorithm that the ID token is signed with. */
const halfHash = (alg: SigningAlgorithm, value: string): string => {
  const digest = hash(alg === 'EdDSA' ? 'sha512' : 'sha256', value, 'buffer');
  return digest.toString('base64url', 0, digest.length / 2);
};

export interface IdTokens {
  /** What a client's ID tokens are signed with, if there is a key for it and they are not encrypted as well. */
  algorithmFor(client: ClientRecord): SigningAlgorithm | undefined;
  sign(alg: SigningAlgorithm, parts: IdTokenParts): Promise<string>;
}

/** ID tokens as oidc-provider makes them at the token endpoint, where no claim has been asked for by name. */
export const createIdTokens = ({
  options: { issuer, ttl, idTokenAlg, idTokenClaims },
  subjects,
  signingKeys,
}: Pick<OidcDependencies, 'options' | 'subjects' | 'signingKeys'>): IdTokens => {
  const signs = new Map(signingKeys.signers.toReversed().map((signer) => [signer.alg, createSignJwt(signer)]));

  return {
    algorithmFor: ({ metadata }) => {
      const alg = metadata.id_token_signed_response_alg ?? idTokenAlg;
      const isSigned = isSigningAlgorithm(alg) && signs.has(alg);
      return isSigned && metadata.id_token_encrypted_response_alg === undefined ? alg : undefined;
    },
    sign: async (alg, { client, grantType, accountId, grant, authentication, accessToken, iat }) => {
      const { sid, authTime, nonce, acr, amr } = authentication;
      const sign = signs.get(alg);
      if (sign === undefined) throw new TypeError(`no signing key for ${alg}`);
      return sign({
        ...(idTokenClaims === 'requested' ? {} : freeClaims(grant.idToken ?? {})),
        sub: subjects.present(client, accountId, grant.forcedSubject),
        auth_time: authTime,
        acr,
        amr,
        nonce,
        sid,
        at_hash: halfHash(alg, accessToken),
        jti: randomUUID(),
        aud: client.id,
        exp: iat + lifetimeOf(client, grantType, 'id_token', ttl.idToken),
        iat,
        iss: issuer,
      });
    },
  };
};
