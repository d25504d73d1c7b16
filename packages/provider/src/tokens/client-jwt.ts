import { CompactEncrypt, type JWK } from 'jose';
import type { ClientRecord } from '../clients/client-record.ts';
import { CarnetError } from '../errors.ts';
import { createSignJwt } from '../keys/signing/sign-jwt.ts';
import type { SigningShare } from '../keys/signing/signer.ts';
import type { SigningKeys } from '../keys/signing/signing-keys.ts';

/** How a client wants a JWT, by its registered metadata. */
export interface JwtForm {
  /** The JWS algorithm (RFC 7518, section 3). */
  readonly alg: string;
  /** The JWE key management algorithm (RFC 7518, section 4). Absent: the JWT is not encrypted. */
  readonly encryptionAlg?: string;
  /** The content encryption algorithm. Default: `A128CBC-HS256` (OpenID Connect Registration 1.0, section 2). */
  readonly enc?: string;
  /** Absent: the client has authenticated. */
  readonly share?: SigningShare;
}

export interface EncryptionKeys {
  /**
   * The public key that JWTs for a client are encrypted to, from its registered `jwks` or its `jwks_uri`.
   *
   * @param alg the JWE key management algorithm (RFC 7518, section 4)
   * @throws an OAuth error `invalid_client_metadata` if the client has no key for the algorithm
   */
  find(client: ClientRecord, alg: string): Promise<JWK>;
}

export interface ClientJwtDependencies {
  readonly options: { readonly issuer: string };
  readonly signingKeys: Pick<SigningKeys, 'signers'>;
  readonly encryptionKeys: EncryptionKeys;
}

/**
 * Signs claims as a JWT for a client, and encrypts it if the client registered that.
 *
 * @throws {OAuthError} `invalid_client_metadata` if the client has no key to encrypt to
 */
export type CreateClientJwt = (claims: object, client: ClientRecord, form: JwtForm) => Promise<string>;

export const createClientJwts = ({
  options: { issuer },
  signingKeys,
  encryptionKeys,
}: ClientJwtDependencies): CreateClientJwt => {
  const signersOf = (share?: SigningShare) =>
    new Map(signingKeys.signers.toReversed().map((signer) => [signer.alg as string, createSignJwt(signer, { share })]));
  const signs = { clients: signersOf(), browsers: signersOf('browsers') };

  /** Encrypts a signed JWT (RFC 7519, section 5.2). `iss` and `aud` are replicated in the header (section 5.3). */
  const encrypt = async (jwt: string, client: ClientRecord, alg: string, enc = 'A128CBC-HS256'): Promise<string> => {
    const key = await encryptionKeys.find(client, alg);
    return new CompactEncrypt(Buffer.from(jwt))
      .setProtectedHeader({ alg, enc, cty: 'JWT', kid: key.kid, iss: issuer, aud: client.id })
      .encrypt(key);
  };

  // No function that is async itself on the common path: each adds promises to every login and refresh.
  return (claims, client, { alg, encryptionAlg, enc, share = 'clients' }) => {
    const sign = signs[share].get(alg);
    if (sign === undefined) throw new CarnetError('server_error', `no signing key for ${alg}`);
    const signed = sign(claims);
    return encryptionAlg === undefined ? signed : signed.then((jwt) => encrypt(jwt, client, encryptionAlg, enc));
  };
};
