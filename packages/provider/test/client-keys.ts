import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';

/** The key with which a client signs its requests and assertions. */
export interface ClientKeys {
  readonly jwks: { readonly keys: readonly object[] };
  readonly privateKey: CryptoKey;
  /** Expires in five minutes. Claims that are `undefined` are left out. */
  sign(claims: JWTPayload, header?: Partial<JWTHeaderParameters>): Promise<string>;
  /** The parameters that authenticate a client (RFC 7523). */
  authenticate(
    id: string,
    audience: string,
    claims?: JWTPayload,
    header?: Partial<JWTHeaderParameters>,
  ): Promise<{ client_assertion_type: string; client_assertion: string }>;
}

export const createClientKeys = async (alg = 'ES256', kid = 'key'): Promise<ClientKeys> => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const now = () => Math.floor(Date.now() / 1000);
  const sign: ClientKeys['sign'] = (claims, header = {}) =>
    new SignJWT({ exp: now() + 300, ...claims }).setProtectedHeader({ alg, kid, ...header }).sign(privateKey);
  return {
    jwks: { keys: [{ ...(await exportJWK(publicKey)), kid, use: 'sig' }] },
    privateKey,
    sign,
    authenticate: async (id, aud, claims, header) => ({
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await sign(
        { iss: id, sub: id, aud, jti: randomUUID(), iat: now(), exp: now() + 120, ...claims },
        header,
      ),
    }),
  };
};
