import type { ClientRecord } from '../clients/client-record.ts';
import { CarnetError } from '../errors.ts';
import { createSignJwt } from '../keys/signing/sign-jwt.ts';
import type { SigningAlgorithm } from '../keys/signing/signer.ts';
import type { SigningKeys } from '../keys/signing/signing-keys.ts';
import { type EncryptionKeys, encryptJwt } from './encrypt-jwt.ts';
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
  readonly signingKeys: Pick<SigningKeys, 'signers'>;
  readonly encryptionKeys: EncryptionKeys;
}

const pick = (from: Readonly<Record<string, unknown>>, names: object) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => Object.hasOwn(names, name)));

export const createIdTokens = (deps: IdTokenDependencies): IdTokens => {
  const { options, signingKeys, encryptionKeys } = deps;
  const signs = new Map<string, (claims: object) => Promise<string>>(
    signingKeys.signers.toReversed().map((signer) => [signer.alg, createSignJwt(signer)]),
  );

  /** The claims of the consent app that this ID token contains. */
  const givenClaims = ({ grant: { idToken = {} }, requested = {}, isWithoutUserinfo }: IdTokenParts) =>
    freeClaims(options.idTokenClaims === 'always' || isWithoutUserinfo ? idToken : pick(idToken, requested));

  const encrypt = async (jwt: string, client: ClientRecord, alg: string): Promise<string> => {
    const key = await encryptionKeys.find(client, alg);
    const { id_token_encrypted_response_enc: enc } = client.metadata;
    return encryptJwt(jwt, { key, alg, enc, issuer: options.issuer, audience: client.id });
  };

  // No function that is async itself on the common path: each adds promises to every login and refresh.
  const form = (claims: object, client: ClientRecord, alg: string): Promise<string> => {
    const sign = signs.get(alg);
    if (sign === undefined) throw new CarnetError('server_error', `no signing key for ${alg}`);
    const { id_token_encrypted_response_alg: encryptionAlg } = client.metadata;
    return encryptionAlg === undefined ? sign(claims) : sign(claims).then((jwt) => encrypt(jwt, client, encryptionAlg));
  };

  return {
    issue(parts, { maxLength } = {}) {
      const { client } = parts;
      const alg = client.metadata.id_token_signed_response_alg ?? options.idTokenAlg;
      const own = idTokenClaims({ ...parts, alg }, deps);
      const whole = form({ ...givenClaims(parts), ...own }, client, alg);
      if (maxLength === undefined) return whole;
      return whole.then((jwt) => (jwt.length > maxLength ? form(own, client, alg) : jwt));
    },
  };
};
