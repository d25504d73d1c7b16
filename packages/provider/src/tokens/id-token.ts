import type { SigningAlgorithm } from '../keys/signing/signer.ts';
import type { CreateClientJwt } from './client-jwt.ts';
import { freeClaims, type IdTokenClaimDependencies, type IdTokenParts, idTokenClaims } from './id-token-claims.ts';

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

export interface IdTokenDependencies extends IdTokenClaimDependencies {
  readonly options: IdTokenClaimDependencies['options'] & {
    /** For clients that registered none. */
    readonly idTokenAlg: SigningAlgorithm;
    /** `requested`: claims of the consent app only if the `claims` parameter names them. */
    readonly idTokenClaims: 'always' | 'requested';
  };
  readonly createClientJwt: CreateClientJwt;
}

const pick = (from: Readonly<Record<string, unknown>>, names: object) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => Object.hasOwn(names, name)));

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
      const own = idTokenClaims({ ...parts, alg }, deps);
      const whole = createClientJwt({ ...givenClaims(parts), ...own }, client, form);
      if (maxLength === undefined) return whole;
      return whole.then((jwt) => (jwt.length > maxLength ? createClientJwt(own, client, form) : jwt));
    },
  };
};
