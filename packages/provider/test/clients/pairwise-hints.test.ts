import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { redirectUri, registerClient, type TestClient } from '../clients.ts';
import { deviceConfig, letIn } from '../device.ts';
import { consentPage, type Instance, loginPage, start } from '../harness.ts';
import { authorize, codeVerifier, headless, type Json } from '../login.ts';
import { json, openRemote, type Remote } from '../remote.ts';

const ciba = 'urn:openid:params:grant-type:ciba';
const deviceCode = 'urn:ietf:params:oauth:grant-type:device_code';

let instance: Instance;
let app: Remote;
let client: TestClient;
let challenge = '';
let idToken: string;
let assertion: () => Promise<string>;

beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] };
  app = await openRemote();
  app.answer = async (request, response) => {
    if (request.method === 'GET') return json(keys)(request, response);
    challenge = JSON.parse(await text(request)).backchannel_challenge;
    response.writeHead(204).end();
  };
  instance = await start({
    config: {
      urls: { ...deviceConfig.urls, login: loginPage, consent: consentPage, backchannelAuthentication: app.origin },
      features: { ...deviceConfig.features, ciba: { enabled: true } },
      oidc: {
        subjectIdentifiers: { supportedTypes: ['public', 'pairwise'], pairwise: { salt: 'a salt of the tests' } },
      },
    },
  });
  client = await registerClient(instance, 'pairwise', {
    grant_types: ['authorization_code', 'refresh_token', ciba, deviceCode],
    subject_type: 'pairwise',
    sector_identifier_uri: 'https://app.test/sector',
    token_endpoint_auth_method: 'private_key_jwt',
    jwks_uri: `${app.origin}/jwks`,
  });
  assertion = () =>
    new SignJWT({ jti: randomUUID(), iss: client.id, sub: client.id, aud: instance.issuer })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .setExpirationTime('1m')
      .sign(privateKey);
  const code = (await authorize(instance, client)).searchParams.get('code') ?? '';
  const { body } = await post('token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  });
  idToken = String(body.id_token);
});
afterAll(async () => {
  await instance.stop();
  await app.close();
});

const post = async (endpoint: string, params: Readonly<Record<string, string>>) => {
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  const body = new URLSearchParams({ ...params, client_assertion_type: type, client_assertion: await assertion() });
  const response = await fetch(`${instance.issuer}/oauth2/${endpoint}`, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Json };
};

test('a backchannel request by the ID token of a pairwise client is answered for nobody else', async () => {
  expect((await post('bc-authorize', { scope: 'openid', id_token_hint: idToken })).status).toBe(200);
  const accept = async (subject: string) => {
    const path = `backchannel/accept?backchannel_challenge=${challenge}`;
    return (await headless(instance, 'PUT', path, { subject, grant_scope: ['openid'] })).status;
  };
  expect([await accept('bob'), await accept('alice')]).toEqual([400, 204]);
});

test('a device that names its person by the ID token of a pairwise client is let in by nobody else', async () => {
  const outcomes: unknown[] = [];
  for (const subject of ['bob', 'alice']) {
    const { body } = await post('device/auth', { scope: 'openid', id_token_hint: idToken });
    const decided = letIn(instance, body as never, { subject });
    // Another user is refused as soon as they have signed in, before the consent page.
    if (subject === 'bob') await expect(decided).rejects.toThrow('no consent_challenge');
    else await decided;
    outcomes.push((await post('token', { grant_type: deviceCode, device_code: String(body.device_code) })).body.error);
  }
  expect(outcomes).toEqual(['access_denied', undefined]);
});
