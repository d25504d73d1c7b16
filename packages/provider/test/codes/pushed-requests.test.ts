import * as oidc from 'openid-client';
import { describe, expect, it } from 'vitest';
import { registerBeforeTests, startBeforeTests, startInTest } from '../before-tests.ts';
import { createBrowser } from '../browser.ts';
import { type Answer, adminClients, discovery, refusal, userinfo } from '../call.ts';
import { redirectUri, registerClient, type TestClient } from '../clients.ts';
import {
  authorizationUrlOf,
  authorizeAt,
  begin,
  codeIn,
  decideAll,
  errorAt,
  push as pushAt,
  pushedUrl,
  redeem,
} from '../login.ts';
import { connect, prepare, signInAt } from '../relying-party.ts';
import { dpopProof } from '../signed-requests.ts';

const instance = startBeforeTests();
const web = registerBeforeTests(instance, 'web');
const native = registerBeforeTests(instance, 'native', { token_endpoint_auth_method: 'none' });
const strict = registerBeforeTests(instance, 'strict', { require_pushed_authorization_requests: true });

const fixed = { state: 'a state of the tests', nonce: 'a nonce of the tests' };
const push = (client: TestClient, params: Readonly<Record<string, string>> = {}, headers = {}) =>
  pushAt(instance, client, { ...fixed, ...params }, headers);
const urlOf = (client: TestClient, pushed: Answer, more: Readonly<Record<string, string>> = {}): string =>
  pushedUrl(instance, client, pushed, more);
const bare = ({ id }: TestClient) => ({
  client_id: id,
  response_type: 'code',
  scope: 'openid',
  redirect_uri: redirectUri,
});
/** The code of a login that begins with a pushed request. */
const codeOf = async (pushed: Answer): Promise<string> => codeIn(await authorizeAt(instance, urlOf(web, pushed)));

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
    const pushed = await push(web);
    expect(instance.calls.commits).toHaveLength(1);
    expect(instance.calls.reads).toHaveLength(0);
    instance.calls.reset();
    await begin(createBrowser(), urlOf(web, pushed));
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
    const pushed = await push(web);
    const codes = [await codeOf(pushed), await codeOf(pushed)];
    const won = await redeem(instance, web, codes[0] ?? '');
    expect(won.status).toBe(200);
    expect(await redeem(instance, web, codes[1] ?? '')).toMatchObject(refusal('invalid_grant'));
    expect((await userinfo(instance, won.body.access_token)).status).toBe(401);
  });

  it('the request is refused once a code of it has been redeemed', async () => {
    const pushed = await push(web);
    await redeem(instance, web, await codeOf(pushed));
    expect(await errorAt(urlOf(web, pushed))).toBe('invalid_request_uri');
  });

  it('of two browsers proves nothing for the other: the flow is bound to the one that began', async () => {
    const url = urlOf(web, await push(web));
    const [attacker, victim] = [createBrowser(), createBrowser()];
    const toConsent = await decideAll(instance, attacker, await begin(attacker, url), { subject: 'mallory' });
    await begin(victim, url);
    expect((await victim.get(toConsent)).status).toBe(403);
  });

  it('the request is bound to its client', async () => {
    expect(await errorAt(urlOf(native, await push(web)))).toBe('invalid_request_uri');
  });

  it('parameters beside the request are ignored', async () => {
    const others = { state: 'another', redirect_uri: redirectUri, scope: 'openid email' };
    const end = await authorizeAt(instance, urlOf(web, await push(web), others));
    expect(end.searchParams.get('state')).toBe('a state of the tests');
  });

  it('can be made for a public client', async () => {
    const pushed = await push(native);
    expect(pushed.status).toBe(201);
    await begin(createBrowser(), urlOf(native, pushed));
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
    expect(await push(web, params)).toMatchObject(refusal(error));
  });

  it.each([
    ['a scope that is not registered', { scope: 'openid admin' }],
    ['a redirect URI that is not registered', { redirect_uri: 'https://evil.test/' }],
    ['a request object that is no JWT', { request: 'x' }],
  ])('uses up its DPoP proof (RFC 9449, section 11.1), even if it is refused for %s', async (_, params) => {
    const dpop = await dpopProof(`${instance.issuer}/oauth2/par`);
    expect((await push(web, params, { dpop })).status).toBe(400);
    expect(await push(web, {}, { dpop })).toMatchObject(refusal('invalid_dpop_proof'));
  });

  it('needs the client to prove who it is', async () => {
    expect(await push({ ...web, secret: 'wrong' })).toMatchObject(refusal('invalid_client', 401));
    expect(await push({ id: web.id })).toMatchObject(refusal('invalid_client', 401));
  });

  it('may be large for a client that has proven who it is: its flow is stored, once', async () => {
    const params = { login_hint: 'h'.repeat(4_000), ui_locales: 'u'.repeat(4_000) };
    // Strangers have used up what is stored for them.
    const large = authorizationUrlOf(instance, { ...bare(web), ...params });
    const stranger = async () => (await createBrowser().get(large)).status;
    let status = 302;
    for (let tries = 0; status !== 503 && tries < 100; tries += 1) status = await stranger();
    expect(status).toBe(503);
    const pushed = await push(web, params);
    expect((await redeem(instance, web, await codeOf(pushed))).status).toBe(200);
    expect((await createBrowser().get(urlOf(web, await push(web, params)))).status).toBe(302);
    expect(await errorAt(urlOf(web, pushed))).toBe('invalid_request_uri');
  });
});

describe('a client that has to push', () => {
  it('a request in the URL is refused, and a pushed one accepted', async () => {
    expect(await errorAt(authorizationUrlOf(instance, bare(strict)))).toBe('invalid_request');
    await begin(createBrowser(), urlOf(strict, await push(strict)));
  });

  it('the configuration can require pushed requests of every client', async () => {
    const other = await startInTest({ config: { features: { par: { required: true } } } });
    const client = await registerClient(other, 'web');
    expect(await errorAt(authorizationUrlOf(other, bare(client)))).toBe('invalid_request');
    expect((await discovery(other)).require_pushed_authorization_requests).toBe(true);
  });
});

it('switching the feature off removes the endpoint, and clients cannot register for it', async () => {
  const other = await startInTest({ config: { features: { par: { enabled: false } } } });
  expect((await fetch(`${other.issuer}/oauth2/par`, { method: 'POST' })).status).toBe(404);
  const metadata = { redirect_uris: [redirectUri], require_pushed_authorization_requests: true };
  const { status, body } = await adminClients(other, 'POST', '', metadata);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain('features.par.enabled');
});
