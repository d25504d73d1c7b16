import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { redirectUri } from '../clients.ts';
import { begin, codeChallenge, decideAll } from '../login.ts';
import { postForm } from '../signed-requests.ts';

const keys = await generateKeyPair('ES256', { extractable: true });
const jwks = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'es', use: 'sig' }] };
const fapi = { features: { fapi: { enabled: true } }, ttl: { authCode: 60 } } as const;

const instance = startBeforeTests({ config: fapi });
const client = registerBeforeTests(instance, 'signing', {
  token_endpoint_auth_method: 'private_key_jwt',
  jwks,
  dpop_bound_access_tokens: true,
  require_signed_request_object: true,
});

const sign = (claims: JWTPayload): Promise<string> =>
  new SignJWT({ iss: client.id, aud: instance.issuer, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'es' })
    .sign(keys.privateKey);

const push = async (params: Readonly<Record<string, string>>) => {
  const times = { iat: now(), exp: soon() };
  const form = new URLSearchParams({
    client_id: client.id,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await sign({ sub: client.id, jti: crypto.randomUUID(), ...times }),
    ...params,
  });
  return postForm(`${instance.issuer}/oauth2/par`, form);
};

const parameters = {
  response_type: 'code',
  scope: 'openid profile',
  redirect_uri: redirectUri,
  code_challenge: codeChallenge,
  code_challenge_method: 'S256',
};

/** Pushes a request object that has the times that are given. */
const pushSigned = async (times: JWTPayload) =>
  push({ request: await sign({ client_id: client.id, ...parameters, ...times }) });

const soon = () => Math.floor(Date.now() / 1000) + 300;
const now = () => Math.floor(Date.now() / 1000) - 1;

describe('FAPI 2.0 Message Signing', () => {
  it('5.3.1 a pushed request object with nbf and exp leads to a code', async () => {
    const { status, body } = await pushSigned({ nbf: now(), exp: soon() });
    expect(status).toBe(201);
    const query = new URLSearchParams({ client_id: client.id, request_uri: String(body.request_uri) });
    const browser = createBrowser();
    const challenge = await begin(browser, `${instance.issuer}/oauth2/auth?${query}`);
    const end = await browser.get(await decideAll(instance, browser, challenge));
    expect(locationOf(end).searchParams.get('code')).not.toBeNull();
  });

  it.each<[string, () => JWTPayload]>([
    ['no exp', () => ({ nbf: now() })],
    ['no nbf', () => ({ exp: soon() })],
    ['neither exp nor nbf', () => ({})],
    ['an exp more than 60 minutes after its nbf', () => ({ nbf: now() - 3_500, exp: soon() })],
    ['an nbf more than 60 minutes in the past', () => ({ nbf: now() - 3_700, exp: now() + 10 })],
    ['an aud that is another server', () => ({ nbf: now(), exp: soon(), aud: 'https://elsewhere.test' })],
  ])('5.3.1 a request object with %s is refused', async (_, times) => {
    expect(await pushSigned(times())).toMatchObject({ status: 400, body: { error: 'invalid_request_object' } });
  });

  it('5.3.1 a request that is not signed is refused', async () => {
    expect(await push(parameters)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });
});
