import { createPrivateKey, type JsonWebKeyInput } from 'node:crypto';
import { CompactSign, calculateJwkThumbprint, compactVerify, importJWK, type JWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { generateKeys } from '../sources/generate-keys.ts';
import { createLocalSigner, signingAlgorithms } from './signer.ts';
import { createSigningKeys } from './signing-keys.ts';

const toSigner = (jwk: JsonWebKeyInput['key'] & { kid?: string }) =>
  createLocalSigner({ privateKey: createPrivateKey({ key: jwk, format: 'jwk' }), kid: jwk.kid });

const jwks = generateKeys();
const keys = createSigningKeys(jwks.keys.map(toSigner));
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe.each(signingAlgorithms)('a local %s key', (alg) => {
  const signer = keys.signerFor(alg);
  if (signer === undefined) throw new Error(`no ${alg} key was generated`);

  it('signs what jose verifies with the public key', async () => {
    const input = `${encode({ alg, kid: signer.kid })}.${encode({ sub: 'a' })}`;
    const signature = await signer.sign(Buffer.from(input));
    const token = `${input}.${Buffer.from(signature).toString('base64url')}`;
    const { payload } = await compactVerify(token, signer.publicKey);
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual({ sub: 'a' });
  });

  it('verifies what jose signs, and refuses one changed byte', async () => {
    const privateJwk = jwks.keys.find((key) => key.alg === alg) as JWK;
    const token = await new CompactSign(Buffer.from('x'))
      .setProtectedHeader({ alg })
      .sign(await importJWK(privateJwk, alg));
    const [header, payload, signature] = token.split('.');
    const data = Buffer.from(`${header}.${payload}`);
    const bytes = Buffer.from(signature ?? '', 'base64url');
    expect(keys.verify(alg, signer.kid, data, bytes)).toBe(true);
    bytes[5] = (bytes[5] ?? 0) ^ 1;
    expect(keys.verify(alg, signer.kid, data, bytes)).toBe(false);
  });

  it('signs in the same tick', () => {
    expect(signer.sign(Buffer.from('x'))).toBeInstanceOf(Uint8Array);
  });

  it('has its RFC 7638 thumbprint for a kid when it was given none', async () => {
    const jwk = jwks.keys.find((key) => key.alg === alg) as JWK;
    const { kid: _, ...anonymous } = jwk;
    expect(toSigner(anonymous as JsonWebKeyInput['key']).kid).toBe(await calculateJwkThumbprint(jwk));
  });
});

describe('a set of signing keys', () => {
  it('signs with the first key of an algorithm', () => {
    const [first, second] = generateKeys(['ES256'])
      .keys.concat(generateKeys(['ES256']).keys)
      .map(toSigner);
    if (first === undefined || second === undefined) throw new Error('two keys were generated');
    expect(createSigningKeys([first, second]).signerFor('ES256')?.kid).toBe(first.kid);
    expect(createSigningKeys([second, first]).signerFor('ES256')?.kid).toBe(second.kid);
  });

  it('accepts no signature under the algorithm of another key, and none of an unknown key', async () => {
    const rsa = keys.signerFor('RS256');
    if (rsa === undefined) throw new Error('no RS256 key was generated');
    const data = Buffer.from('x');
    const signature = await rsa.sign(data);
    expect(keys.verify('RS256', rsa.kid, data, signature)).toBe(true);
    expect(keys.verify('ES256', rsa.kid, data, signature)).toBe(false);
    expect(keys.verify('RS256', 'unknown', data, signature)).toBe(false);
  });

  it('refuses two keys with one kid', () => {
    const signer = keys.signers[0];
    if (signer === undefined) throw new Error('no key was generated');
    expect(() => createSigningKeys([signer, { ...signer }])).toThrow(`the same kid: ${signer.kid}`);
  });
});
