import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { listen } from '@carnet/test-servers/listen';
import { exportJWK, generateKeyPair, type JWTPayload } from 'jose';
import * as oidc from 'openid-client';
import { beforeEach, describe, expect, test } from 'vitest';
import { registerBeforeTests } from '../before-tests.ts';
import { adminClients, discovery, postForm, refusal } from '../call.ts';
import { createClientKeys } from '../client-keys.ts';
import { basicOf, registerClient, type TestClient } from '../clients.ts';
import { consentPage, loginPage, start } from '../harness.ts';
import { headless, introspect, type Json, login, refresh, token } from '../login.ts';
import { connect } from '../relying-party.ts';

const grantType = 'urn:openid:params:grant-type:ciba';
const metadata = { grant_types: [grantType, 'refresh_token'], redirect_uris: [] };

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
}

let received: Received[];
/** The app's answer to a notification. */
let status: number;
let answered: Json;

const app = beforeTests(() =>
  listen(async (request, response) => {
    const body = JSON.parse(await text(request)) as Json;
    received.push({ path: request.url ?? '', headers: request.headers, body });
    const code = request.url === '/notify' ? status : 204;
    response.writeHead(code).end(code === 204 ? undefined : JSON.stringify(answered));
  }),
);
const instance = beforeTests(() =>
  start({
    config: {
      urls: { login: loginPage, consent: consentPage, backchannelAuthentication: `${app.origin}/notify` },
      features: { ciba: { enabled: true, pollingIntervalSeconds: 1 }, mtls: { enabled: true } },
    },
  }),
);
const bank = registerBeforeTests(instance, 'bank', metadata);
beforeEach(() => {
  received = [];
  status = 204;
  answered = {};
});

const send = (client: TestClient, params: Readonly<Record<string, string>>) =>
  postForm(`${instance.issuer}/oauth2/bc-authorize`, params, basicOf(client));
const ask = (client: TestClient, params: Readonly<Record<string, string>> = {}) =>
  send(client, { scope: 'openid offline_access profile', login_hint: 'alice@example.com', ...params });

const challenge = (): string => String(received[0]?.body.backchannel_challenge);
const answer = (action: 'accept' | 'reject', body: Json = {}) =>
  headless(instance, 'PUT', `backchannel/${action}?backchannel_challenge=${challenge()}`, body);
const allow = { subject: 'alice', grant_scope: ['openid', 'offline_access', 'profile'] };
const poll = (client: TestClient, id: unknown) =>
  token(instance, client, { grant_type: grantType, auth_req_id: String(id) });

describe('a backchannel authentication request (OpenID CIBA Core)', () => {
  test('ends with tokens when the person allows it (openid-client)', async () => {
    const config = await connect(instance, bank);
    expect(config.serverMetadata()).toMatchObject({
      backchannel_authentication_endpoint: `${instance.issuer}/oauth2/bc-authorize`,
      backchannel_token_delivery_modes_supported: ['poll', 'ping'],
    });
    const request = await oidc.initiateBackchannelAuthentication(config, {
      scope: 'openid offline_access profile',
      login_hint: 'alice@example.com',
      binding_message: 'Pay 5',
    });
    expect(request).toMatchObject({ interval: 1, expires_in: 300 });
    const polling = oidc.pollBackchannelAuthenticationGrant(config, request);
    const asked = await headless(instance, 'GET', `backchannel?backchannel_challenge=${challenge()}`);
    expect(asked.body).toMatchObject({
      client: { client_id: 'bank' },
      requested_scope: ['openid', 'offline_access', 'profile'],
      login_hint: 'alice@example.com',
      binding_message: 'Pay 5',
    });
    expect(asked.text).not.toContain(request.auth_req_id);
    expect((await answer('accept', { ...allow, amr: ['push'] })).status).toBe(204);
    const tokens = await polling;
    expect(tokens.claims()).toMatchObject({ sub: 'alice', aud: 'bank', amr: ['push'] });
    expect(await introspect(instance, tokens.access_token)).toMatchObject({ active: true, sub: 'alice' });
    expect((await refresh(instance, bank, tokens.refresh_token)).status).toBe(200);
  });

  test('waits, and is redeemed once: a second use takes the tokens back', async () => {
    const { body } = await ask(bank);
    expect((await poll(bank, body.auth_req_id)).body.error).toBe('authorization_pending');
    await answer('accept', allow);
    const { body: tokens } = await poll(bank, body.auth_req_id);
    expect((await poll(bank, body.auth_req_id)).body.error).toBe('invalid_grant');
    expect(await introspect(instance, tokens.access_token)).toEqual({ active: false });
  });

  test('reveals nothing to a poll without the key of the client (RFC 8705, section 4; RFC 9449, section 5)', async () => {
    for (const member of ['dpop_bound_access_tokens', 'tls_client_certificate_bound_access_tokens']) {
      const client = await registerClient(instance, member, { ...metadata, [member]: true });
      const { body } = await ask(client);
      expect((await poll(client, body.auth_req_id)).body.error).toBe('invalid_grant');
    }
  });

  test('the request is refused when the user refuses', async () => {
    const { body } = await ask(bank);
    expect((await answer('reject', { error_description: 'not me' })).status).toBe(204);
    expect((await poll(bank, body.auth_req_id)).body).toEqual({
      error: 'access_denied',
      error_description: 'not me',
    });
  });

  test('the first of a hundred concurrent answers is accepted, and the others are refused', async () => {
    const { body } = await ask(bank);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => answer('accept', { ...allow, subject: `person-${index}` })),
    );
    expect(answers.map((one) => one.status).toSorted()).toEqual([204, ...Array(99).fill(409)]);
    const winner = answers.findIndex((one) => one.status === 204);
    const { body: tokens } = await poll(bank, body.auth_req_id);
    expect(await introspect(instance, tokens.access_token)).toMatchObject({ sub: `person-${winner}` });
  });

  test('can not be polled for by another client', async () => {
    const other = await registerClient(instance, 'other-bank', metadata);
    const { body } = await ask(bank);
    await answer('accept', allow);
    expect((await poll(other, body.auth_req_id)).body.error).toBe('invalid_grant');
  });

  test('may name the person by an ID token, and then nobody else is accepted', async () => {
    const web = await registerClient(instance, 'bank-web', {
      grant_types: ['authorization_code', 'refresh_token', grantType],
    });
    const { id_token } = await login(instance, web);
    expect((await send(web, { scope: 'openid', id_token_hint: String(id_token) })).status).toBe(200);
    expect((await answer('accept', { subject: 'bob', grant_scope: ['openid'] })).status).toBe(400);
    expect((await answer('accept', { subject: 'alice', grant_scope: ['openid'] })).status).toBe(204);
  });

  test('pings a client that is registered for it (section 10.2)', async () => {
    const pinged = await registerClient(instance, 'pinged', {
      ...metadata,
      backchannel_token_delivery_mode: 'ping',
      backchannel_client_notification_endpoint: `${app.origin}/ping`,
    });
    expect((await ask(pinged)).body.error).toBe('invalid_request');
    const { body } = await ask(pinged, { client_notification_token: 'a-token-of-the-client' });
    await answer('accept', allow);
    await expect
      .poll(() => received.find(({ path }) => path === '/ping'))
      .toMatchObject({
        headers: { authorization: 'Bearer a-token-of-the-client' },
        body: { auth_req_id: body.auth_req_id },
      });
    expect((await poll(pinged, body.auth_req_id)).status).toBe(200);
    for (const secret of [String(body.auth_req_id), 'a-token-of-the-client', challenge()]) {
      expect(instance.log()).not.toContain(secret);
    }
  });
});

describe('a client that is registered for user codes (section 7.1)', () => {
  const withCodes = registerBeforeTests(instance, 'with-codes', { ...metadata, backchannel_user_code_parameter: true });

  test('sends a code, which the app reads with the request before it answers the notification', async () => {
    const { body } = await ask(withCodes, { user_code: 'a code of alice' });
    const asked = await headless(instance, 'GET', `backchannel?backchannel_challenge=${challenge()}`);
    expect(asked.body.user_code).toBe('a code of alice');
    await answer('accept', allow);
    expect((await poll(withCodes, body.auth_req_id)).status).toBe(200);
    expect(instance.log()).not.toContain('a code of alice');
  });

  test.each(['missing_user_code', 'invalid_user_code', 'unknown_user_id'])(
    'the request gets %s when the app answers so',
    async (error) => {
      status = 400;
      answered = { error };
      expect(await ask(withCodes, { user_code: 'x' })).toMatchObject(refusal(error));
    },
  );

  test.each([[{ error: 'server_error' }], [{ error: 'constructor' }], [[]]])(
    'the request gets temporarily_unavailable when the app answers 400 and %j',
    async (body) => {
      status = 400;
      answered = body as Json;
      expect((await ask(withCodes)).body.error).toBe('temporarily_unavailable');
    },
  );
});

const keys = await createClientKeys('ES256', 'requests');

describe('a signed authentication request (section 7.1.1)', () => {
  const signing = registerBeforeTests(instance, 'bank-signing', {
    ...metadata,
    jwks: keys.jwks,
    backchannel_authentication_request_signing_alg: 'ES256',
  });

  const now = () => Math.floor(Date.now() / 1000);
  const claimsOf = (): JWTPayload => ({
    iss: signing.id,
    aud: instance.issuer,
    iat: now() - 1,
    nbf: now() - 1,
    exp: now() + 120,
    jti: crypto.randomUUID(),
    scope: 'openid offline_access profile',
    login_hint: 'alice@example.com',
    binding_message: 'Pay 5',
  });

  const askSigned = async (claims: JWTPayload = claimsOf()) => send(signing, { request: await keys.sign(claims) });

  test('the authenticated client redeems the request even if it names no client_id', async () => {
    const { body } = await askSigned();
    const asked = await headless(instance, 'GET', `backchannel?backchannel_challenge=${challenge()}`);
    expect(asked.body).toMatchObject({ client: { client_id: signing.id }, binding_message: 'Pay 5' });
    expect((await poll(signing, body.auth_req_id)).body.error).toBe('authorization_pending');
    expect((await answer('accept', allow)).status).toBe(204);
    const tokens = await poll(signing, body.auth_req_id);
    expect(tokens).toMatchObject({ status: 200, body: { id_token: expect.any(String) } });
  });

  test.each(['exp', 'iat', 'nbf', 'jti', 'aud', 'iss'])('the request is refused without %s', async (name) => {
    expect(await askSigned({ ...claimsOf(), [name]: undefined })).toMatchObject(refusal('invalid_request'));
    expect(received).toEqual([]);
  });

  test('a client that has registered an algorithm must sign its requests', async () => {
    expect((await ask(signing)).body.error).toBe('invalid_request');
  });
});

test('the algorithms and the parameter that discovery announces are those that registration accepts', async () => {
  const document = await discovery(instance);
  expect(document.backchannel_user_code_parameter_supported).toBe(true);
  const algorithms = document.backchannel_authentication_request_signing_alg_values_supported as string[];
  expect(algorithms.length).toBeGreaterThan(0);
  for (const alg of algorithms) {
    const { publicKey } = await generateKeyPair(alg, { extractable: true });
    const answer = await adminClients(instance, 'POST', '', {
      ...metadata,
      jwks: { keys: [await exportJWK(publicKey)] },
      backchannel_user_code_parameter: true,
      backchannel_authentication_request_signing_alg: alg,
    });
    expect([alg, answer.status]).toEqual([alg, 201]);
  }
});

describe('what is refused', () => {
  test.each([
    ['no hint', { login_hint: '' }, 'invalid_request'],
    ['a login_hint_token', { login_hint: '', login_hint_token: 'x' }, 'invalid_request'],
    ['an ID token that is none', { login_hint: '', id_token_hint: 'x.y.z' }, 'invalid_request'],
    ['two hints', { login_hint_token: 'x' }, 'invalid_request'],
    ['no openid', { scope: 'profile' }, 'invalid_request'],
    ['a scope that is not registered', { scope: 'openid admin' }, 'invalid_scope'],
    ['a message that is too long', { binding_message: 'x'.repeat(65) }, 'invalid_binding_message'],
    ['a user code', { user_code: '1234' }, 'invalid_request'],
    ['an expiry that is none', { requested_expiry: '-1' }, 'invalid_request'],
  ])('%s', async (_what, params, error) => {
    expect(await ask(bank, params)).toMatchObject(refusal(error));
    expect(received).toEqual([]);
  });

  test('a person that the app does not know, and an app that does not answer', async () => {
    status = 404;
    expect((await ask(bank)).body.error).toBe('unknown_user_id');
    status = 500;
    expect((await ask(bank)).body.error).toBe('temporarily_unavailable');
  });

  test('a client without authentication or without the grant', async () => {
    const web = await registerClient(instance, 'only-web');
    expect((await ask(web)).body.error).toBe('unauthorized_client');
    for (const wrong of [{ token_endpoint_auth_method: 'none' }, { backchannel_token_delivery_mode: 'ping' }]) {
      const answer = await adminClients(instance, 'POST', '', { ...metadata, ...wrong });
      expect(answer).toMatchObject(refusal('invalid_client_metadata'));
    }
  });

  test('an answer to a challenge that does not open, and a scope that is not registered', async () => {
    expect((await headless(instance, 'GET', 'backchannel?backchannel_challenge=x')).status).toBe(404);
    await ask(bank);
    expect((await answer('accept', { ...allow, grant_scope: ['admin'] })).status).toBe(400);
    expect((await answer('accept', { grant_scope: ['openid'] })).status).toBe(400);
  });
});
