import { CompactEncrypt, type JWK } from 'jose';
import type { ClientRecord } from '../clients/client-record.ts';

export interface EncryptionKeys {
  /**
   * The public key that JWTs for a client are encrypted to, from its registered `jwks` or its `jwks_uri`.
   *
   * @param alg the JWE key management algorithm (RFC 7518, section 4)
   * @throws an OAuth error `invalid_client_metadata` if the client has no key for the algorithm
   */
  find(client: ClientRecord, alg: string): Promise<JWK>;
}

interface Encryption {
  readonly key: JWK;
  readonly alg: string;
  /** The content encryption algorithm. Default: `A128CBC-HS256` (OpenID Connect Registration 1.0, section 2). */
  readonly enc?: string;
  readonly issuer: string;
  readonly audience: string;
}

/** Encrypts a signed JWT (RFC 7519, section 5.2). `iss` and `aud` are replicated in the header (section 5.3). */
export const encryptJwt = (
  jwt: string,
  { key, alg, enc = 'A128CBC-HS256', issuer, audience }: Encryption,
): Promise<string> =>
  new CompactEncrypt(Buffer.from(jwt))
    .setProtectedHeader({ alg, enc, cty: 'JWT', kid: key.kid, iss: issuer, aud: audience })
    .encrypt(key);
