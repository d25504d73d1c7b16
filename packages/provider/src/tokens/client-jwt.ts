import type { ClientRecord } from '../clients/client-record.ts';
import { CarnetError } from '../errors.ts';
import { createSignJwt } from '../keys/signing/sign-jwt.ts';
import type { SigningShare } from '../keys/signing/signer.ts';
import type { SigningKeys } from '../keys/signing/signing-keys.ts';
import { type EncryptionKeys, encryptJwt } from './encrypt-jwt.ts';

/** How a client wants a JWT, by its registered metadata. */
export interface JwtForm {
  /** The JWS algorithm (RFC 7518, section 3). */
  readonly alg: string;
  /** The JWE key management algorithm (RFC 7518, section 4). Absent: the JWT is not encrypted. */
  readonly encryptionAlg?: string;
  readonly enc?: string;
  /** Absent: the client has authenticated. */
  readonly share?: SigningShare;
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

  const encrypt = async (jwt: string, client: ClientRecord, alg: string, enc: string | undefined): Promise<string> => {
    const key = await encryptionKeys.find(client, alg);
    return encryptJwt(jwt, { key, alg, enc, issuer, audience: client.id });
  };

  // No function that is async itself on the common path: each adds promises to every login and refresh.
  return (claims, client, { alg, encryptionAlg, enc, share = 'clients' }) => {
    const sign = signs[share].get(alg);
    if (sign === undefined) throw new CarnetError('server_error', `no signing key for ${alg}`);
    const signed = sign(claims);
    return encryptionAlg === undefined ? signed : signed.then((jwt) => encrypt(jwt, client, encryptionAlg, enc));
  };
};
