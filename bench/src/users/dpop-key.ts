import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A client's key for DPoP proofs (RFC 9449). */
export interface DpopKey {
  /** Its JWK thumbprint (RFC 7638). */
  readonly thumbprint: string;
  /** @returns a proof for one POST request, signed with ES256 */
  prove(url: string): string;
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const createDpopKey = (): DpopKey => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { crv, kty, x, y } = publicKey.export({ format: 'jwk' });
  const header = encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk: { crv, kty, x, y } });
  return {
    thumbprint: createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url'),
    prove(url) {
      const iat = Math.floor(Date.now() / 1_000);
      const input = `${header}.${encoded({ jti: randomBytes(16).toString('base64url'), htm: 'POST', htu: url, iat })}`;
      const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${input}.${signature.toString('base64url')}`;
    },
  };
};

/** As many keys as a scenario has users at once. */
export const createDpopKeys = (count: number): readonly DpopKey[] => Array.from({ length: count }, createDpopKey);
