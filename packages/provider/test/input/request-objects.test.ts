import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import * as oidc from 'openid-client';
import { describe, expect, it } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { postForm } from '../call.ts';
import { basicOf, redirectUri, registerClient } from '../clients.ts';
import { start } from '../harness.ts';
import { begin, codeChallenge, decideAll } from '../login.ts';
import { connect, prepare, signInAt } from '../relying-party.ts';

const keys = await generateKeyPair('ES256', { extractable: true });
const others = await generateKeyPair('ES256', { extractable: true });
const jwks = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'requests', use: 'sig', alg: 'ES256' }] };

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

const requestObject = (claims: JWTPayload = {}, { id } = client, key = keys.privateKey): Promise<string> =>
  new SignJWT({ client_id: id, ...parameters, iss: id, aud: instance.issuer, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'requests', typ: 'oauth-authz-req+jwt' })
    .setNotBefore('-1s')
    .setExpirationTime('5m')
    .sign(key);

const urlOf = (request: string, { id } = client, more: Readonly<Record<string, string>> = {}): string =>
  `${instance.issuer}/oauth2/auth?${new URLSearchParams({ client_id: id, request, ...more })}`;

/** The error that ends a request, at the client or at the error page. */
const errorAt = async (url: string): Promise<string | null> =>
  locationOf(await createBrowser().get(url)).searchParams.get('error');

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
    const browser = createBrowser();
    const url = urlOf(await requestObject(), client, { state: 'another', scope: 'openid email', prompt: 'none' });
    const end = await browser.get(await decideAll(instance, browser, await begin(browser, url)));
    expect(locationOf(end).searchParams.get('state')).toBe('a state of the tests');
  });

  it('may be pushed (RFC 9126, section 3)', async () => {
    const headers = basicOf(client);
    const form = new URLSearchParams({ request: await requestObject() });
    const { status, body } = await postForm(`${instance.issuer}/oauth2/par`, form, headers);
    expect(status).toBe(201);
    const query = new URLSearchParams({ client_id: client.id, request_uri: String(body.request_uri) });
    const browser = createBrowser();
    const challenge = await begin(browser, `${instance.issuer}/oauth2/auth?${query}`);
    const end = locationOf(await browser.get(await decideAll(instance, browser, challenge)));
    expect(end.searchParams.get('scope')).toBe('openid offline_access profile');
  });

  it.each<[string, () => Promise<string> | string]>([
    ['not signed', () => new UnsecuredJWT({ client_id: client.id, ...parameters }).encode()],
    ['signed by somebody else', () => requestObject({}, client, others.privateKey)],
    ['for another audience', () => requestObject({ aud: 'https://elsewhere.test' })],
    ['of another client', () => requestObject({ client_id: strict.id })],
    ['of no client', () => requestObject({ client_id: undefined })],
    ['issued by another client', () => requestObject({ iss: strict.id })],
    ['expired', () => requestObject({}).then(() => expired())],
    ['good for years, and does not say since when', () => longLived()],
    ['not a JWT', () => 'nonsense'],
    ['a request within a request', () => requestObject({ request: 'x' })],
    ['with a NUL in its state', () => requestObject({ state: 'a\u0000b' })],
    ['with a state without end', () => requestObject({ state: 'x'.repeat(1_537) })],
    ['with more scopes than anybody has', () => requestObject({ scope: `openid${' a'.repeat(50)}` })],
    ['with a number of 5,000 digits as its nonce', () => requestObject({ nonce: { deep: 'x'.repeat(5_000) } })],
  ])('the request object is refused when it is %s', async (_, make) => {
    const error = await errorAt(urlOf(await make()));
    expect(error).toBe('invalid_request_object');
  });

  it('a request object of a public client does not exempt it from the limit of pushed requests: any user has seen it', async () => {
    // Its clock stands: however long the requests take, none is allowed again.
    const now = Date.now();
    const limited = await start({ now: () => now });
    const native = await registerClient(limited, 'native', { jwks, token_endpoint_auth_method: 'none' });
    const request = await requestObject({ aud: limited.issuer }, native);
    const form = new URLSearchParams({ client_id: native.id, request });
    const statuses: number[] = [];
    while (statuses.length < 201) statuses.push((await postForm(`${limited.issuer}/oauth2/par`, form)).status);
    expect(statuses).toEqual([...Array(200).fill(201), 503]);
    await limited.stop();
  });

  it('an expired request object is not pushed, even within the tolerance for clocks: its request_uri would have no lifetime', async () => {
    const form = new URLSearchParams({ request: await expiring('-1s') });
    expect(await postForm(`${instance.issuer}/oauth2/par`, form, basicOf(client))).toMatchObject({
      status: 400,
      body: { error: 'invalid_request_object' },
    });
  });

  it('asks for nothing that a URL could not ask for', async () => {
    expect(await errorAt(urlOf(await requestObject({ scope: 'openid admin' })))).toBe('invalid_scope');
    expect(await errorAt(urlOf(await requestObject({ redirect_uri: 'https://evil.test/' })))).toBe(
      'invalid_redirect_uri',
    );
  });

  it('does not come by reference: nothing is fetched', async () => {
    const query = new URLSearchParams({ client_id: client.id, request_uri: 'https://app.test/request.jwt' });
    expect(await errorAt(`${instance.issuer}/oauth2/auth?${query}`)).toBe('request_uri_not_supported');
  });
});

const expiring = (time: string): Promise<string> =>
  new SignJWT({ client_id: client.id, ...parameters, iss: client.id, aud: instance.issuer })
    .setProtectedHeader({ alg: 'ES256', kid: 'requests' })
    .setExpirationTime(time)
    .sign(keys.privateKey);
const expired = () => expiring('-5m');
const longLived = () => expiring('2y');

describe('a client that has to sign its requests', () => {
  it('an unsigned request is refused, and a signed one accepted', async () => {
    const plain = `${instance.issuer}/oauth2/auth?${new URLSearchParams({ client_id: strict.id, ...parameters })}`;
    expect(await errorAt(plain)).toBe('invalid_request');
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
    const browser = createBrowser();
    const end = locationOf(await browser.get(await decideAll(instance, browser, await begin(browser, asked))));
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
  const other = await start({ config: { features: { jar: { enabled: false }, jarm: { enabled: false } } } });
  const rp = await registerClient(other, 'plain', { jwks });
  const url = (params: Record<string, string>) =>
    `${other.issuer}/oauth2/auth?${new URLSearchParams({ client_id: rp.id, ...parameters, ...params })}`;
  expect(await errorAt(url({ request: 'x' }))).toBe('request_not_supported');
  expect(await errorAt(url({ response_mode: 'jwt' }))).toBe('unsupported_response_mode');
  await other.stop();
});
