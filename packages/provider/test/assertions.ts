import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { Instance } from './harness.ts';
import type { Json } from './login.ts';

export const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** An issuer of assertions, with one key. */
export interface AssertionIssuer {
  readonly issuer: string;
  readonly jwk: JWK & { readonly kid: string };
  /** A signed assertion about alice for the provider; claims that are `undefined` are left out. */
  sign(audience: string, claims?: Readonly<Record<string, unknown>>, header?: Readonly<Json>): Promise<string>;
}

export const createAssertionIssuer = async (
  issuer = 'https://issuer.test',
  kid = 'key-1',
  alg = 'ES256',
): Promise<AssertionIssuer> => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return {
    issuer,
    jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' },
    sign: (audience, claims = {}, header = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const all = { iss: issuer, sub: 'alice', aud: audience, iat: now, exp: now + 60, jti: randomUUID(), ...claims };
      const payload = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as JWTPayload;
      return new SignJWT(payload).setProtectedHeader({ alg, kid, ...header }).sign(privateKey);
    },
  };
};

/** Tells the admin API to trust an issuer, for a day, about anybody unless a subject is given. */
export const trust = (
  { admin }: Pick<Instance, 'admin'>,
  { issuer, jwk }: Pick<AssertionIssuer, 'issuer' | 'jwk'>,
  more: Readonly<Json> = {},
): Promise<Response> =>
  fetch(`${admin}/admin/trust/grants/jwt-bearer/issuers`, {
    method: 'POST',
    body: JSON.stringify({
      issuer,
      jwk,
      scope: ['read', 'write'],
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
      ...('subject' in more ? {} : { allow_any_subject: true }),
      ...more,
    }),
  });
