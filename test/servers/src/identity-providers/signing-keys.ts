import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';

/** An RSA key that signs ID tokens. */
export interface SigningKeys {
  readonly jwks: { readonly keys: readonly object[] };
  sign(claims: object): string;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export const createSigningKeys = (): SigningKeys => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = randomUUID();
  return {
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' }] },
    sign: (claims) => {
      const input = `${encode({ alg: 'RS256', kid, typ: 'JWT' })}.${encode(claims)}`;
      return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
    },
  };
};
