import * as oidc from 'openid-client';
import { describe, expect, it } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { postForm } from '../call.ts';
import { basicOf, redirectUri, registerClient, type TestClient } from '../clients.ts';
import { start } from '../harness.ts';
import { begin, codeChallenge, decideAll, type Json, redeem } from '../login.ts';
import { connect, prepare, signInAt } from '../relying-party.ts';
import { dpopProof } from '../signed-requests.ts';
import { codeAt } from '../walk.ts';

const instance = startBeforeTests();
const web = registerBeforeTests(instance, 'web');
const native = registerBeforeTests(instance, 'native', { token_endpoint_auth_method: 'none' });
const strict = registerBeforeTests(instance, 'strict', { require_pushed_authorization_requests: true });

const push = (client: TestClient, params: Readonly<Record<string, string>> = {}, headers = {}) =>
  postForm(
    `${instance.issuer}/oauth2/par`,
    new URLSearchParams({
      client_id: client.id,
      response_type: 'code',
      scope: 'openid offline_access profile',
      redirect_uri: redirectUri,
      state: 'a state of the tests',
      nonce: 'a nonce of the tests',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
      ...params,
    }),
    { ...basicOf(client), ...headers },
  );

const urlOf = (client: TestClient, pushed: Json, more: Readonly<Record<string, string>> = {}): string =>
  `${instance.issuer}/oauth2/auth?${new URLSearchParams({ client_id: client.id, request_uri: String(pushed.request_uri), ...more })}`;

const errorAt = async (url: string) => locationOf(await createBrowser().get(url)).searchParams.get('error');

describe('a pushed request', () => {
  it('openid-client completes a login with a pushed request', async () => {
    const config = await connect(instance, web);
    expect(config.serverMetadata().pushed_authorization_request_endpoint).toBe(`${instance.issuer}/oauth2/par`);
    const { url, checks } = await prepare(config);
    const pushed = await oidc.buildAuthorizationUrlWithPAR(config, new URL(url).searchParams);
    expect([...pushed.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    const tokens = await signInAt(instance, config, { url: pushed.href, checks });
    expect(tokens.claims()).toMatchObject({ sub: 'alice', nonce: checks.expectedNonce });
    expect(tokens.refresh_token).toBeDefined();
  });

  it('lives for a minute and says so', async () => {
    const { status, body, headers } = await push(web);
    expect(status).toBe(201);
    expect(body).toEqual({ expires_in: 60, request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:/) });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('costs one commit, and one read when the browser brings it', async () => {
    instance.calls.reset();
    const { body } = await push(web);
    expect(instance.calls.commits).toHaveLength(1);
    expect(instance.calls.reads).toHaveLength(0);
    instance.calls.reset();
    await begin(createBrowser(), urlOf(web, body));
    expect(instance.calls.trips()).toBe(1);
  });

  it('the request is stored sealed: its content cannot be read in the store', async () => {
    instance.calls.reset();
    await push(web, { login_hint: 'alice@example.test', state: 'readable-state' });
    const stored = JSON.stringify(instance.calls.commits);
    expect(stored).not.toContain('alice@example.test');
    expect(stored).not.toContain(Buffer.from('alice@example.test').toString('base64url').slice(4, -4));
    expect(stored).not.toContain('readable-state');
  });

  it('leads to one redeemed code, however often it is opened; a second one takes everything back', async () => {
    const { body } = await push(web);
    const [first, second] = [createBrowser(), createBrowser()];
    const ends: string[] = [];
    for (const browser of [first, second]) {
      ends.push(await decideAll(instance, browser, await begin(browser, urlOf(web, body))));
    }
    const codes = [await codeAt(first, ends[0] ?? ''), await codeAt(second, ends[1] ?? '')];
    const won = await redeem(instance, web, codes[0] ?? '');
    expect(won.status).toBe(200);
    expect(await redeem(instance, web, codes[1] ?? '')).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    const userinfo = await fetch(`${instance.issuer}/userinfo`, {
      headers: { authorization: `Bearer ${String(won.body.access_token)}` },
    });
    expect(userinfo.status).toBe(401);
  });

  it('the request is refused once a code of it has been redeemed', async () => {
    const { body } = await push(web);
    const browser = createBrowser();
    const end = await decideAll(instance, browser, await begin(browser, urlOf(web, body)));
    await redeem(instance, web, await codeAt(browser, end));
    expect(await errorAt(urlOf(web, body))).toBe('invalid_request_uri');
  });

  it('of two browsers proves nothing for the other: the flow is bound to the one that began', async () => {
    const { body } = await push(web);
    const [attacker, victim] = [createBrowser(), createBrowser()];
    const toConsent = await decideAll(instance, attacker, await begin(attacker, urlOf(web, body)), {
      subject: 'mallory',
    });
    await begin(victim, urlOf(web, body));
    expect((await victim.get(toConsent)).status).toBe(403);
  });

  it('the request is bound to its client', async () => {
    const { body } = await push(web);
    expect(await errorAt(urlOf(native, body))).toBe('invalid_request_uri');
  });

  it('parameters beside the request are ignored', async () => {
    const { body } = await push(web);
    const browser = createBrowser();
    const url = urlOf(web, body, { state: 'another', redirect_uri: redirectUri, scope: 'openid email' });
    const end = await browser.get(await decideAll(instance, browser, await begin(browser, url)));
    expect(locationOf(end).searchParams.get('state')).toBe('a state of the tests');
  });

  it('can be made for a public client', async () => {
    const { status, body } = await push(native);
    expect(status).toBe(201);
    await begin(createBrowser(), urlOf(native, body));
  });
});

describe('what is pushed', () => {
  it.each([
    ['a request_uri', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 'request_uri_not_supported'],
    ['a redirect URI that is not registered', { redirect_uri: 'https://evil.test/' }, 'invalid_request'],
    ['a scope that is not registered', { scope: 'openid admin' }, 'invalid_scope'],
    ['a NUL', { state: 'a\u0000b' }, 'invalid_request'],
    ['a state without end', { state: 'x'.repeat(1_537) }, 'invalid_request'],
    ['no code_challenge_method', { code_challenge_method: 'plain' }, 'invalid_request'],
  ])('must not be %s', async (_, params, error) => {
    expect(await push(web, params)).toMatchObject({ status: 400, body: { error } });
  });

  it.each([
    ['a scope that is not registered', { scope: 'openid admin' }],
    ['a redirect URI that is not registered', { redirect_uri: 'https://evil.test/' }],
    ['a request object that is no JWT', { request: 'x' }],
  ])('uses up its DPoP proof (RFC 9449, section 11.1), even if it is refused for %s', async (_, params) => {
    const dpop = await dpopProof(`${instance.issuer}/oauth2/par`);
    expect((await push(web, params, { dpop })).status).toBe(400);
    expect(await push(web, {}, { dpop })).toMatchObject({ status: 400, body: { error: 'invalid_dpop_proof' } });
  });

  it('needs the client to prove who it is', async () => {
    expect(await push({ ...web, secret: 'wrong' })).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(await push({ id: web.id })).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('may be large for a client that has proven who it is: its flow is stored, once', async () => {
    const params = { login_hint: 'h'.repeat(4_000), ui_locales: 'u'.repeat(4_000) };
    // Strangers have used up what is stored for them.
    const large = new URLSearchParams({
      client_id: web.id,
      response_type: 'code',
      scope: 'openid',
      redirect_uri: redirectUri,
      ...params,
    });
    const stranger = async () =>
      (await fetch(`${instance.issuer}/oauth2/auth?${large}`, { redirect: 'manual' })).status;
    let status = 302;
    for (let tries = 0; status !== 503 && tries < 100; tries += 1) status = await stranger();
    expect(status).toBe(503);
    const { body } = await push(web, params);
    const browser = createBrowser();
    const end = await decideAll(instance, browser, await begin(browser, urlOf(web, body)));
    expect((await redeem(instance, web, await codeAt(browser, end))).status).toBe(200);
    expect((await createBrowser().get(urlOf(web, (await push(web, params)).body))).status).toBe(302);
    expect(await errorAt(urlOf(web, body))).toBe('invalid_request_uri');
  });
});

describe('a client that has to push', () => {
  it('a request in the URL is refused, and a pushed one accepted', async () => {
    const url = `${instance.issuer}/oauth2/auth?${new URLSearchParams({ client_id: strict.id, response_type: 'code', scope: 'openid', redirect_uri: redirectUri })}`;
    expect(await errorAt(url)).toBe('invalid_request');
    await begin(createBrowser(), urlOf(strict, (await push(strict)).body));
  });

  it('the configuration can require pushed requests of every client', async () => {
    const other = await start({ config: { features: { par: { required: true } } } });
    const client = await registerClient(other, 'web');
    const query = new URLSearchParams({
      client_id: client.id,
      response_type: 'code',
      scope: 'openid',
      redirect_uri: redirectUri,
    });
    expect(await errorAt(`${other.issuer}/oauth2/auth?${query}`)).toBe('invalid_request');
    const discovery = (await (await fetch(`${other.issuer}/.well-known/openid-configuration`)).json()) as Json;
    expect(discovery.require_pushed_authorization_requests).toBe(true);
    await other.stop();
  });
});

it('switching the feature off removes the endpoint, and clients cannot register for it', async () => {
  const other = await start({ config: { features: { par: { enabled: false } } } });
  expect((await fetch(`${other.issuer}/oauth2/par`, { method: 'POST' })).status).toBe(404);
  const response = await fetch(`${other.admin}/admin/clients`, {
    method: 'POST',
    body: JSON.stringify({ redirect_uris: [redirectUri], require_pushed_authorization_requests: true }),
  });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('features.par.enabled');
  await other.stop();
});
