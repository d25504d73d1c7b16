import { calculateJwkThumbprint, compactDecrypt, decodeJwt, exportJWK, generateKeyPair } from 'jose';
import * as oidc from 'openid-client';
import { describe, expect, it } from 'vitest';
import { startBeforeTests, startInTest } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { adminClients, userinfo } from '../call.ts';
import { redirectUri, registerClient } from '../clients.ts';
import type { Instance } from '../harness.ts';
import { authorizationUrl, authorizeAt, login } from '../login.ts';
import { connect, prepare, signIn } from '../relying-party.ts';

const keys = await generateKeyPair('ECDH-ES', { extractable: true, crv: 'P-256' });
const publicKey = await exportJWK(keys.publicKey);
const jwks = { keys: [{ ...publicKey, kid: await calculateJwkThumbprint(publicKey), use: 'enc', alg: 'ECDH-ES' }] };

const instance = startBeforeTests({ config: { features: { encryption: { enabled: true } } } });

const decrypted = async (jwe: string): Promise<Record<string, unknown>> => {
  const { plaintext } = await compactDecrypt(jwe, keys.privateKey);
  return decodeJwt(new TextDecoder().decode(plaintext));
};

describe('what is encrypted to a key of the client', () => {
  it('an ID token, through a whole login of openid-client', async () => {
    const client = await registerClient(instance, 'id-token', {
      jwks,
      id_token_encrypted_response_alg: 'ECDH-ES',
      id_token_encrypted_response_enc: 'A256GCM',
    });
    const config = await connect(instance, client);
    oidc.enableDecryptingResponses(config, ['A256GCM'], { key: keys.privateKey, kid: jwks.keys[0]?.kid ?? '' });
    const tokens = await signIn(instance, config);
    expect(tokens.claims()).toMatchObject({ sub: 'alice' });
    expect(String((await login(instance, client)).id_token).split('.')).toHaveLength(5);
  });

  it('userinfo, signed first', async () => {
    const client = await registerClient(instance, 'userinfo', {
      jwks,
      userinfo_signed_response_alg: 'ES256',
      userinfo_encrypted_response_alg: 'ECDH-ES',
    });
    const { access_token: token } = await login(instance, client);
    const { headers, body } = await userinfo(instance, token);
    expect(headers.get('content-type')).toMatch(/^application\/jwt/);
    expect(await decrypted(String(body.text))).toMatchObject({ sub: 'alice', iss: instance.issuer, aud: client.id });
  });

  it('a JWT response (JARM)', async () => {
    const client = await registerClient(instance, 'jarm', {
      jwks,
      authorization_signed_response_alg: 'ES256',
      authorization_encrypted_response_alg: 'ECDH-ES',
    });
    const { url } = await prepare(await connect(instance, client), { response_mode: 'jwt' });
    const end = await authorizeAt(instance, url);
    const claims = await decrypted(end.searchParams.get('response') ?? '');
    expect(claims).toMatchObject({ iss: instance.issuer, aud: client.id, code: expect.stringMatching(/^carnet_ac_/) });
  });
});

it('userinfo is signed where that is registered, encryption or none', async () => {
  const plain = await startInTest();
  const client = await registerClient(plain, 'signed', { userinfo_signed_response_alg: 'ES256' });
  const config = await connect(plain, client);
  const tokens = await signIn(plain, config);
  expect(await oidc.fetchUserInfo(config, tokens.access_token, 'alice')).toMatchObject({ sub: 'alice' });
});

const register = (to: Instance, metadata: object) =>
  adminClients(to, 'POST', '', { redirect_uris: [redirectUri], ...metadata });

describe('what can not be registered', () => {
  it.each([
    ['a key that is the secret', { id_token_encrypted_response_alg: 'dir' }],
    ['RSA1_5', { jwks, id_token_encrypted_response_alg: 'RSA1_5' }],
    ['encryption without a key', { id_token_encrypted_response_alg: 'ECDH-ES' }],
    ['userinfo encrypted and not signed', { jwks, userinfo_encrypted_response_alg: 'ECDH-ES' }],
    ['encrypted requests, to which we have no key', { jwks, request_object_encryption_alg: 'ECDH-ES' }],
  ])('%s', async (_, metadata) => {
    expect((await register(instance, metadata)).status).toBe(400);
  });

  it('any of it while encryption is off', async () => {
    const plain = await startInTest();
    const { status, body } = await register(plain, { jwks, id_token_encrypted_response_alg: 'ECDH-ES' });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('features.encryption.enabled');
  });
});

describe('a client without a key for it', () => {
  const signing = { keys: [{ ...publicKey, kid: 'signing', use: 'sig' }] };
  const asking = { authorization_signed_response_alg: 'ES256', authorization_encrypted_response_alg: 'ECDH-ES' };

  it.each([
    ['its keys are for signatures', signing, asking],
    ['its keys are of another type', jwks, { id_token_encrypted_response_alg: 'RSA-OAEP-256' }],
    ['its keys are for another algorithm', jwks, { userinfo_encrypted_response_alg: 'ECDH-ES+A128KW' }],
  ])('a registration without a key is refused: %s', async (_, keySet, metadata) => {
    const { status, body } = await register(instance, { jwks: keySet, ...metadata });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('Field jwks');
  });

  it('a client registered before gets an error of the client, and no error of the server', async () => {
    const client = await registerClient(instance, 'before', { jwks: signing, ...asking });
    const url = authorizationUrl(instance, client, { response_mode: 'jwt', prompt: 'none' });
    const response = await createBrowser().get(url);
    expect(locationOf(response).origin).toBe('http://login.test');
    expect(locationOf(response).searchParams.get('error')).toBe('invalid_client_metadata');
    expect(instance.log()).not.toMatch(/"level":50/);
  });
});
