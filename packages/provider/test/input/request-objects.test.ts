import { type JWTPayload, UnsecuredJWT } from 'jose';
import * as oidc from 'openid-client';
import { describe, expect, it } from 'vitest';
import { registerBeforeTests, startBeforeTests, startInTest } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { postForm, refusal } from '../call.ts';
import { createClientKeys } from '../client-keys.ts';
import { basicOf, redirectUri, registerClient } from '../clients.ts';
import { authorizationUrlOf, authorizeAt, begin, codeChallenge, decideAll, errorAt, pushedUrl } from '../login.ts';
import { connect, prepare, signInAt } from '../relying-party.ts';

const keys = await createClientKeys('ES256', 'requests');
const others = await createClientKeys('ES256', 'requests');
const { jwks } = keys;

const instance = startBeforeTests();
const client = registerBeforeTests(instance, 'signing', { jwks });
const strict = registerBeforeTests(instance, 'strict', {
  jwks,
  require_signed_request_object: true,
  request_object_signing_alg: 'ES256',
});

const parameters = {
  response_type: 'code',
  scope: 'openid offline_access profile',
  redirect_uri: redirectUri,
  state: 'a state of the tests',
  nonce: 'a nonce of the tests',
  code_challenge: codeChallenge,
  code_challenge_method: 'S256',
};

/** Expires at a time that `undefined` leaves to be five minutes ahead. */
const requestObject = (claims: JWTPayload = {}, { id } = client, { sign } = keys): Promise<string> => {
  const nbf = now() - 1;
  const all = { client_id: id, ...parameters, iss: id, aud: instance.issuer, nbf, ...claims };
  return sign(all, { typ: 'oauth-authz-req+jwt' });
};
const expiring = (seconds: number) => requestObject({ nbf: undefined, exp: now() + seconds });
const now = () => Math.floor(Date.now() / 1000);

const urlOf = (request: string, { id } = client, more: Readonly<Record<string, string>> = {}): string =>
  authorizationUrlOf(instance, { client_id: id, request, ...more });

describe('a signed request object (RFC 9101)', () => {
  it('openid-client completes a login with a signed request object', async () => {
    const config = await connect(instance, client);
    expect(config.serverMetadata()).toMatchObject({
      request_parameter_supported: true,
      request_uri_parameter_supported: false,
    });
    const { url, checks } = await prepare(config);
    const signed = await oidc.buildAuthorizationUrlWithJAR(config, new URL(url).searchParams, {
      key: keys.privateKey,
      kid: 'requests',
    });
    expect([...signed.searchParams.keys()].sort()).toEqual(['client_id', 'request']);
    const tokens = await signInAt(instance, config, { url: signed.href, checks });
    expect(tokens.claims()).toMatchObject({ sub: 'alice', nonce: checks.expectedNonce });
    expect(tokens.refresh_token).toBeDefined();
  });

  it('parameters beside the request object are ignored (section 5)', async () => {
    const url = urlOf(await requestObject(), client, { state: 'another', scope: 'openid email', prompt: 'none' });
    expect((await authorizeAt(instance, url)).searchParams.get('state')).toBe('a state of the tests');
  });

  it('may be pushed (RFC 9126, section 3)', async () => {
    const form = { request: await requestObject() };
    const pushed = await postForm(`${instance.issuer}/oauth2/par`, form, basicOf(client));
    expect(pushed.status).toBe(201);
    const end = await authorizeAt(instance, pushedUrl(instance, client, pushed));
    expect(end.searchParams.get('scope')).toBe('openid offline_access profile');
  });

  it.each<[string, () => Promise<string> | string]>([
    ['not signed', () => new UnsecuredJWT({ client_id: client.id, ...parameters }).encode()],
    ['signed by somebody else', () => requestObject({}, client, others)],
    ['for another audience', () => requestObject({ aud: 'https://elsewhere.test' })],
    ['of another client', () => requestObject({ client_id: strict.id })],
    ['of no client', () => requestObject({ client_id: undefined })],
    ['issued by another client', () => requestObject({ iss: strict.id })],
    ['expired', () => expiring(-300)],
    ['good for years, and does not say since when', () => expiring(2 * 365 * 86_400)],
    ['not a JWT', () => 'nonsense'],
    ['a request within a request', () => requestObject({ request: 'x' })],
    ['with a NUL in its state', () => requestObject({ state: 'a\u0000b' })],
    ['with a state without end', () => requestObject({ state: 'x'.repeat(1_537) })],
    ['with more scopes than anybody has', () => requestObject({ scope: `openid${' a'.repeat(50)}` })],
    ['with a number of 5,000 digits as its nonce', () => requestObject({ nonce: { deep: 'x'.repeat(5_000) } })],
  ])('the request object is refused when it is %s', async (_, make) => {
    expect(await errorAt(urlOf(await make()))).toBe('invalid_request_object');
  });

  it('the refusal of an object that is not verified goes to the redirect_uri beside it, with the state of the object', async () => {
    const refusalTo = async (claims: JWTPayload): Promise<URL> => {
      const beside = { redirect_uri: redirectUri, response_type: 'code', state: 'beside' };
      const url = urlOf(await requestObject(claims, client, others), client, beside);
      return locationOf(await createBrowser().get(url));
    };
    const elsewhere = await refusalTo({ redirect_uri: 'https://evil.test/' });
    expect(elsewhere.href.startsWith(`${redirectUri}?`)).toBe(true);
    expect(elsewhere.searchParams.get('error')).toBe('invalid_request_object');
    expect(elsewhere.searchParams.get('state')).toBe('a state of the tests');
    expect((await refusalTo({ state: undefined })).searchParams.get('state')).toBe('beside');
  });

  it('an object that is not pushed, of a client that must push, is not read for the refusal', async () => {
    const pushing = await registerClient(instance, 'pushing', { jwks, require_pushed_authorization_requests: true });
    const beside = { redirect_uri: redirectUri, response_type: 'code', state: 'beside' };
    const url = urlOf(await requestObject({ response_mode: 'fragment' }, pushing, others), pushing, beside);
    const { searchParams } = locationOf(await createBrowser().get(url));
    expect(searchParams.get('error_description')).toBe('Pushed Authorization Request must be used');
    expect(searchParams.get('state')).toBe('beside');
  });

  it('a request object of a public client does not exempt it from the limit of pushed requests: any user has seen it', async () => {
    // Its clock stands: however long the requests take, none is allowed again.
    const now = Date.now();
    const limited = await startInTest({ now: () => now });
    const native = await registerClient(limited, 'native', { jwks, token_endpoint_auth_method: 'none' });
    const request = await requestObject({ aud: limited.issuer }, native);
    const form = { client_id: native.id, request };
    const statuses: number[] = [];
    while (statuses.length < 201) statuses.push((await postForm(`${limited.issuer}/oauth2/par`, form)).status);
    expect(statuses).toEqual([...Array(200).fill(201), 503]);
  });

  it('an expired request object is not pushed, even within the tolerance for clocks: its request_uri would have no lifetime', async () => {
    const form = { request: await expiring(-1) };
    const answer = await postForm(`${instance.issuer}/oauth2/par`, form, basicOf(client));
    expect(answer).toMatchObject(refusal('invalid_request_object'));
  });

  it('asks for nothing that a URL could not ask for', async () => {
    expect(await errorAt(urlOf(await requestObject({ scope: 'openid admin' })))).toBe('invalid_scope');
    const elsewhere = await requestObject({ redirect_uri: 'https://evil.test/' });
    expect(await errorAt(urlOf(elsewhere))).toBe('invalid_redirect_uri');
  });
});

describe('a client that has to sign its requests', () => {
  it('an unsigned request is refused, and a signed one accepted', async () => {
    expect(await errorAt(authorizationUrlOf(instance, { client_id: strict.id, ...parameters }))).toBe(
      'invalid_request',
    );
    await begin(createBrowser(), urlOf(await requestObject({}, strict), strict));
  });
});

describe('JWT responses (JARM)', () => {
  const signed = { authorization_signed_response_alg: 'ES256' };

  it.each(['jwt', 'query.jwt', 'fragment.jwt'])('come back with response_mode %s', async (mode) => {
    const rp = await registerClient(instance, `jarm-${mode}`, signed);
    const config = await connect(instance, rp);
    oidc.useJwtResponseMode(config);
    const { url, checks } = await prepare(config);
    // openid-client asks for `jwt` whatever it is told.
    const asked = url.replace('response_mode=jwt', `response_mode=${mode}`);
    const end = await authorizeAt(instance, asked);
    const query = new URLSearchParams(mode === 'fragment.jwt' ? end.hash.slice(1) : end.search);
    expect([...query.keys()]).toEqual(['response']);
    const answer = new URL(`${redirectUri}?${query}`);
    const tokens = await oidc.authorizationCodeGrant(config, answer, checks);
    expect(tokens.claims()?.sub).toBe('alice');
  });

  it('carry errors as well', async () => {
    const rp = await registerClient(instance, 'jarm-error', signed);
    const config = await connect(instance, rp);
    oidc.useJwtResponseMode(config);
    const { url, checks } = await prepare(config, { response_mode: 'jwt', prompt: 'none' });
    const end = locationOf(await createBrowser().get(url));
    await expect(oidc.authorizationCodeGrant(config, end, checks)).rejects.toMatchObject({ error: 'login_required' });
  });

  it('are posted by a page with form_post.jwt', async () => {
    const rp = await registerClient(instance, 'jarm-form', signed);
    const { url } = await prepare(await connect(instance, rp), { response_mode: 'form_post.jwt' });
    const browser = createBrowser();
    const page = await browser.get(await decideAll(instance, browser, await begin(browser, url)));
    const html = await page.text();
    expect(html).toContain(`action="${redirectUri}"`);
    expect(html).toMatch(/name="response" value="ey[^"]+"/);
    expect(html).not.toContain('name="code"');
  });
});

it('are off when they are switched off', async () => {
  const other = await startInTest({ config: { features: { jar: { enabled: false }, jarm: { enabled: false } } } });
  const rp = await registerClient(other, 'plain', { jwks });
  const url = (params: Record<string, string>) =>
    authorizationUrlOf(other, { client_id: rp.id, ...parameters, ...params });
  expect(await errorAt(url({ request: 'x' }))).toBe('request_not_supported');
  expect(await errorAt(url({ response_mode: 'jwt' }))).toBe('unsupported_response_mode');
});
