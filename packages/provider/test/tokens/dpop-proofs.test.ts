import { generateKeyPairSync, type JsonWebKey, randomUUID, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { postForm, refusal } from '../call.ts';
import { basicOf } from '../clients.ts';

const instance = startBeforeTests();
const client = registerBeforeTests(instance, 'app', { dpop_bound_access_tokens: true });

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk: JsonWebKey = publicKey.export({ format: 'jwk' });
const endpoint = () => `${instance.issuer}/oauth2/token`;
const nowSeconds = () => Math.floor(Date.now() / 1000);
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A proof for the token endpoint. Members that are undefined are left out. */
const proof = (claims: object = {}, header: object = {}): string => {
  const named = { htm: 'POST', htu: endpoint(), jti: randomUUID(), iat: nowSeconds(), ...claims };
  const input = `${encode({ typ: 'dpop+jwt', alg: 'ES256', jwk, ...header })}.${encode(named)}`;
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
};

const ask = (dpop: string) =>
  postForm(endpoint(), { grant_type: 'client_credentials', scope: 'profile' }, { ...basicOf(client), dpop });

describe('the checks of DPoP proofs (RFC 9449, section 4.3)', () => {
  it.each<[string, () => string]>([
    ['the usual one', () => proof()],
    ['the full media type', () => proof({}, { typ: 'application/DPoP+JWT' })],
    ['a query and a fragment', () => proof({ htu: `${endpoint()}?a=b#c` })],
    ['an empty query and fragment', () => proof({ htu: `${endpoint()}?#` })],
    ['a host in capital letters', () => proof({ htu: endpoint().replace('http://', 'HTTP://') })],
    ['a clock that is behind', () => proof({ iat: nowSeconds() - 290 })],
    ['a clock that is ahead', () => proof({ iat: nowSeconds() + 290 })],
  ])('%s is accepted', async (_, make) => {
    expect(await ask(make())).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
  });

  it.each<[string, () => string, string]>([
    ['no JWT', () => 'proof', 'invalid DPoP key binding'],
    ['two proofs', () => `${proof()}, ${proof()}`, 'invalid DPoP key binding'],
    ['another type', () => proof({}, { typ: 'jwt' }), 'invalid DPoP key binding'],
    ['no type', () => proof({}, { typ: undefined }), 'invalid DPoP key binding'],
    ['a list of types', () => proof({}, { typ: ['dpop+jwt'] }), 'invalid DPoP key binding'],
    ['a type that is no text', () => proof({}, { typ: { toString: 1 } }), 'invalid DPoP key binding'],
    [
      'key_ops that are no texts',
      () => proof({}, { jwk: { ...jwk, key_ops: [{ toString: 1 }] } }),
      'invalid DPoP key binding',
    ],
    ['an algorithm that is not offered', () => proof({}, { alg: 'ES384' }), 'invalid DPoP key binding'],
    ['no algorithm', () => proof({}, { alg: 'none' }), 'invalid DPoP key binding'],
    ['a private key', () => proof({}, { jwk: privateKey.export({ format: 'jwk' }) }), 'invalid DPoP key binding'],
    ['the key of another', () => proof({}, { jwk: otherKey }), 'invalid DPoP key binding'],
    ['another signature', () => `${proof().slice(0, -6)}AAAAAA`, 'invalid DPoP key binding'],
    ['an extension', () => proof({}, { crit: ['any'], any: 1 }), 'invalid DPoP key binding'],
    ['exp in the past', () => proof({ exp: nowSeconds() - 1 }), 'invalid DPoP key binding'],
    ['exp that is no number', () => proof({ exp: 'never' }), 'invalid DPoP key binding'],
    ['nbf in the future', () => proof({ nbf: nowSeconds() + 60 }), 'invalid DPoP key binding'],
    ['no iat', () => proof({ iat: undefined }), 'DPoP proof must have a iat number property'],
    ['an old iat', () => proof({ iat: nowSeconds() - 310 }), 'DPoP proof iat is not recent enough'],
    ['an iat of the future', () => proof({ iat: nowSeconds() + 310 }), 'DPoP proof iat is not recent enough'],
    ['no jti', () => proof({ jti: undefined }), 'DPoP proof must have a jti string property'],
    ['an empty jti', () => proof({ jti: '' }), 'DPoP proof must have a jti string property'],
    ['a nonce, which is not asked for', () => proof({ nonce: 'a' }), 'DPoP nonces are not supported'],
    ['a nonce that is no text', () => proof({ nonce: 1 }), 'DPoP proof nonce must be a string'],
    ['another method', () => proof({ htm: 'post' }), 'DPoP proof htm mismatch'],
    ['another path', () => proof({ htu: `${endpoint()}/` }), 'DPoP proof htu mismatch'],
    ['another host', () => proof({ htu: 'https://other.test/oauth2/token' }), 'DPoP proof htu mismatch'],
    ['a user in the URL', () => proof({ htu: endpoint().replace('://', '://user@') }), 'DPoP proof htu mismatch'],
    ['no URL', () => proof({ htu: 'token' }), 'DPoP proof htu mismatch'],
  ])('%s is refused', async (_, make, description) => {
    const answer = await ask(make());
    expect(answer).toMatchObject(refusal('invalid_dpop_proof'));
    expect(answer.body.error_description).toBe(description);
  });
});

const otherKey: JsonWebKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
