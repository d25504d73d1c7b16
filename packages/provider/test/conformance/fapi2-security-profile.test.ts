import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import * as oidc from 'openid-client';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ConfigInput } from '../../src/config/config-input.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { type Browser, createBrowser, locationOf } from '../browser.ts';
import { redirectUri, registerClient } from '../clients.ts';
import { consentPage, loginPage, testKeys, testSecret } from '../harness.ts';
import {
  acceptConsent,
  acceptLogin,
  begin,
  challengeIn,
  codeChallenge,
  codeVerifier,
  decideAll,
  introspect,
  type Json,
} from '../login.ts';
import { prepare } from '../relying-party.ts';
import { dpopProof, otherProofKeys, postForm, proofThumbprint } from '../signed-requests.ts';

/**
 * FAPI 2.0 Security Profile (final, February 2025), section 5.3.2: what it says of the authorization server. What it
 * says of TLS is the proxy's part, but for the issuer and redirect URIs.
 */
const example = readFileSync(new URL('../../../../examples/fapi2/carnet.yaml', import.meta.url), 'utf8');
const settings = parse(example) as ConfigInput;

const keys = await generateKeyPair('ES256', { extractable: true });
/** As node:crypto has it: good for RS256 and PS256. */
const rsaKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicJwks = {
  keys: [
    { ...(await exportJWK(keys.publicKey)), kid: 'es', use: 'sig' },
    { ...rsaKeys.publicKey.export({ format: 'jwk' }), kid: 'rs', use: 'sig' },
  ],
};

const fapiClient = {
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: publicJwks,
  dpop_bound_access_tokens: true,
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
};

const instance = startBeforeTests({ config: { features: settings.features, ttl: settings.ttl } });
const client = registerBeforeTests(instance, 'fapi', fapiClient);

interface AssertionOptions {
  readonly claims?: JWTPayload;
  readonly alg?: 'ES256' | 'RS256' | 'PS256';
}

const assertion = ({ claims, alg = 'ES256' }: AssertionOptions = {}): Promise<string> => {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({
    iss: client.id,
    sub: client.id,
    aud: instance.issuer,
    jti: crypto.randomUUID(),
    iat: now,
    exp: now + 120,
    ...claims,
  })
    .setProtectedHeader({ alg, kid: alg === 'ES256' ? 'es' : 'rs' })
    .sign(alg === 'ES256' ? keys.privateKey : rsaKeys.privateKey);
};

const post = async (
  path: string,
  params: Readonly<Record<string, string>>,
  { proof, ...options }: AssertionOptions & { readonly proof?: string } = {},
) =>
  postForm(
    `${instance.issuer}${path}`,
    new URLSearchParams({
      client_id: client.id,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await assertion(options),
      ...params,
    }),
    proof === undefined ? {} : { dpop: proof },
  );

const request = {
  response_type: 'code',
  scope: 'openid offline_access profile',
  redirect_uri: redirectUri,
  state: 'a state of the tests',
  code_challenge: codeChallenge,
  code_challenge_method: 'S256',
};

const push = (params: Readonly<Record<string, string>> = {}, options: AssertionOptions & { proof?: string } = {}) =>
  post('/oauth2/par', { ...request, ...params }, options);

const without = (name: keyof typeof request): Record<string, string> =>
  Object.fromEntries(Object.entries(request).filter(([key]) => key !== name));

const urlOf = (pushed: Json): string =>
  `${instance.issuer}/oauth2/auth?${new URLSearchParams({ client_id: client.id, request_uri: String(pushed.request_uri) })}`;

/** A flow from a pushed request to the client's redirect URI. */
const authorize = async (pushed: Json, browser: Browser = createBrowser()): Promise<URL> =>
  locationOf(await browser.get(await decideAll(instance, browser, await begin(browser, urlOf(pushed)))));

const codeOf = async (params: Readonly<Record<string, string>> = {}): Promise<string> =>
  (await authorize((await push(params)).body)).searchParams.get('code') ?? '';

const tokenEndpoint = () => `${instance.issuer}/oauth2/token`;
const redeem = async (code: string, options: AssertionOptions & { proof?: string } = {}) =>
  post(
    '/oauth2/token',
    { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier },
    { proof: await dpopProof(tokenEndpoint()), ...options },
  );

const register = async (metadata: object): Promise<{ status: number; text: string }> => {
  const body = JSON.stringify({ redirect_uris: [redirectUri], ...fapiClient, ...metadata });
  const response = await fetch(`${instance.admin}/admin/clients`, { method: 'POST', body });
  return { status: response.status, text: await response.text() };
};

const discovery = async (): Promise<Json> =>
  (await (await fetch(`${instance.issuer}/.well-known/openid-configuration`)).json()) as Json;

const errorAt = async (url: string): Promise<string | null> =>
  locationOf(await createBrowser().get(url)).searchParams.get('error');

describe('FAPI 2.0 Security Profile', () => {
  it('a whole login of openid-client with private_key_jwt, PAR and DPoP', async () => {
    const config = await oidc.discovery(
      new URL(instance.issuer),
      client.id,
      {},
      oidc.PrivateKeyJwt({ key: keys.privateKey, kid: 'es' }),
      { execute: [oidc.allowInsecureRequests] },
    );
    const DPoP = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair('ES256'));
    const { url, checks } = await prepare(config);
    const pushed = await oidc.buildAuthorizationUrlWithPAR(config, new URL(url).searchParams, { DPoP });
    const browser = createBrowser();
    const end = await browser.get(await decideAll(instance, browser, await begin(browser, pushed.href)));
    const tokens = await oidc.authorizationCodeGrant(config, locationOf(end), checks, {}, { DPoP });
    expect(tokens).toMatchObject({ token_type: 'dpop', refresh_token: expect.any(String) });
    expect(await oidc.fetchUserInfo(config, tokens.access_token, 'alice', { DPoP })).toMatchObject({ sub: 'alice' });
    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '', {}, { DPoP });
    expect(refreshed.refresh_token).toBe(tokens.refresh_token);
  });
});

describe('5.3.2.1 general requirements', () => {
  it('1: metadata are published', async () => {
    expect(await discovery()).toMatchObject({ issuer: instance.issuer, token_endpoint: tokenEndpoint() });
  });

  it('2: the password grant is rejected', async () => {
    const answer = await post('/oauth2/token', { grant_type: 'password', username: 'alice', password: 'x' });
    expect(answer).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } });
  });

  it.each(['none', 'client_secret_basic', 'client_secret_post'])(
    '3, 6: no client authenticates by %s',
    async (method) => {
      expect(await register({ token_endpoint_auth_method: method })).toMatchObject({ status: 400 });
      expect((await discovery()).token_endpoint_auth_methods_supported).toEqual(['private_key_jwt']);
    },
  );

  it('3, 6: nor one that was registered before', async () => {
    const before = await registerClient(instance, 'before', { token_endpoint_auth_method: 'client_secret_post' });
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: before.id,
      client_secret: before.secret ?? '',
    });
    const answer = await postForm(tokenEndpoint(), form, { dpop: await dpopProof(tokenEndpoint()) });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });

  it('4, 5: only tokens that are bound to a key are issued', async () => {
    const refused = await redeem(await codeOf(), { proof: undefined });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const { body } = await redeem(await codeOf());
    expect(body.token_type).toBe('DPoP');
    expect(await introspect(instance, body.access_token)).toMatchObject({ cnf: { jkt: proofThumbprint } });
    const machine = await post('/oauth2/token', { grant_type: 'client_credentials', scope: 'profile' });
    expect(machine.status).toBe(400);
  });

  it('4: a client that does not ask for it is refused, and one from before is held to it', async () => {
    const unbound = await register({ dpop_bound_access_tokens: false });
    expect(unbound).toMatchObject({ status: 400, text: expect.stringContaining('dpop_bound_access_tokens') });
    const before = await registerClient(instance, 'unbound', { ...fapiClient, dpop_bound_access_tokens: undefined });
    const claims = { iss: before.id, sub: before.id };
    const params = { client_id: before.id, grant_type: 'client_credentials', scope: 'profile' };
    expect((await post('/oauth2/token', params, { claims })).status).toBe(400);
    const proof = await dpopProof(tokenEndpoint());
    expect((await post('/oauth2/token', params, { claims, proof })).status).toBe(200);
  });

  it('7: nobody is sent to an address that is not registered', async () => {
    const query = new URLSearchParams({ client_id: client.id, ...request, redirect_uri: 'https://evil.test/' });
    const end = locationOf(await createBrowser().get(`${instance.issuer}/oauth2/auth?${query}`));
    expect(end.host).not.toBe('evil.test');
  });

  it.each<[string, JWTPayload]>([
    ['the token endpoint', { aud: 'TOKEN' }],
    ['a list with the issuer', { aud: ['ISSUER'] }],
    ['a list with the issuer and another', { aud: ['ISSUER', 'https://elsewhere.test'] }],
    ['another server', { aud: 'https://elsewhere.test' }],
  ])('8: the audience of a client assertion is the issuer as a string, not %s', async (_, { aud }) => {
    const real = (text: string): string => text.replace('ISSUER', instance.issuer).replace('TOKEN', tokenEndpoint());
    const claims = { aud: Array.isArray(aud) ? aud.map(real) : real(String(aud)) };
    expect(await push({}, { claims })).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('9: refresh tokens are not rotated', async () => {
    const { body } = await redeem(await codeOf());
    for (const _ of [1, 2, 3]) {
      const answer = await post(
        '/oauth2/token',
        { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) },
        { proof: await dpopProof(tokenEndpoint()) },
      );
      expect(answer).toMatchObject({ status: 200, body: { refresh_token: body.refresh_token } });
    }
  });

  it('11: a code lives for a minute at most', () => {
    expect(parseConfig(configOf({})).ttl.authCode).toBe(60);
    expect(() => parseConfig(configOf({ ttl: { authCode: 61 } }))).toThrow(/ttl\.authCode/);
  });

  it('12: a code is bound to the key of its request (RFC 9449, section 10)', async () => {
    const proof = await dpopProof(`${instance.issuer}/oauth2/par`);
    const bound = (await authorize((await push({}, { proof })).body)).searchParams.get('code') ?? '';
    const wrong = await dpopProof(tokenEndpoint(), undefined, otherProofKeys);
    expect(await redeem(bound, { proof: wrong })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await redeem(bound)).status).toBe(200);
    const named = await codeOf({ dpop_jkt: proofThumbprint });
    expect((await redeem(named, { proof: wrong })).status).toBe(400);
    expect((await redeem(named)).status).toBe(200);
  });

  it('12: dpop_jkt has to be the thumbprint of the proof beside it', async () => {
    const proof = await dpopProof(`${instance.issuer}/oauth2/par`);
    expect((await push({ dpop_jkt: 'a'.repeat(43) }, { proof })).status).toBe(400);
  });

  it('13: clocks may be 10 seconds ahead, and not more than 60', async () => {
    const now = Math.floor(Date.now() / 1000);
    expect((await push({}, { claims: { iat: now + 9, nbf: now + 9, exp: now + 60 } })).status).toBe(201);
    expect((await push({}, { claims: { iat: now + 75, exp: now + 120 } })).status).toBe(401);
    expect((await push({}, { claims: { nbf: now + 75, exp: now + 120 } })).status).toBe(401);
  });

  it('13: nor those of request objects', async () => {
    const now = Math.floor(Date.now() / 1000);
    const pushedAt = async (iat: number) => {
      const times = { iat, nbf: now - 1, exp: now + 300 };
      const claims = { client_id: client.id, ...request, iss: client.id, aud: instance.issuer, ...times };
      const signed = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'es' });
      return post('/oauth2/par', { request: await signed.sign(keys.privateKey) });
    };
    expect((await pushedAt(now + 9)).status).toBe(201);
    expect(await pushedAt(now + 75)).toMatchObject({ status: 400, body: { error: 'invalid_request_object' } });
  });

  it('13: nor those of DPoP proofs', async () => {
    const now = Math.floor(Date.now() / 1000);
    const url = `${instance.issuer}/oauth2/par`;
    const ahead = (seconds: number) => dpopProof(url, undefined, undefined, now + seconds);
    expect((await push({}, { proof: await ahead(9) })).status).toBe(201);
    expect(await push({}, { proof: await ahead(75) })).toMatchObject({
      status: 400,
      body: { error: 'invalid_dpop_proof' },
    });
  });
});

describe('members that only Hydra has', () => {
  it('are not in an authorization response: its parameters are code, state and iss', async () => {
    const end = await authorize((await push()).body);
    expect([...end.searchParams.keys()].toSorted()).toEqual(['code', 'iss', 'state']);
  });

  it('are not in the discovery document', async () => {
    const document = await discovery();
    expect(document).not.toHaveProperty('id_token_signed_response_alg');
    expect(document).not.toHaveProperty('userinfo_signed_response_alg');
  });
});

describe('5.3.2.2 authorization code flow', () => {
  it('1: response_type is code', async () => {
    expect((await discovery()).response_types_supported).toEqual(['code']);
    expect((await push({ response_type: 'code id_token', nonce: 'n-0123456789' })).status).toBe(400);
  });

  it('2, 4: requests are pushed by clients that have authenticated', async () => {
    const form = new URLSearchParams({ client_id: client.id, ...request });
    expect((await postForm(`${instance.issuer}/oauth2/par`, form)).status).toBe(401);
    expect((await push()).status).toBe(201);
  });

  it('3: a request that was not pushed is rejected', async () => {
    const query = new URLSearchParams({ client_id: client.id, ...request });
    expect(await errorAt(`${instance.issuer}/oauth2/auth?${query}`)).toBe('invalid_request');
    expect((await discovery()).require_pushed_authorization_requests).toBe(true);
  });

  it('5: PKCE with S256', async () => {
    const bare = { ...without('code_challenge'), code_challenge_method: '', code_challenge: '' };
    expect((await push(bare)).status).toBe(400);
    expect((await push({ code_challenge_method: 'plain' })).status).toBe(400);
    expect((await discovery()).code_challenge_methods_supported).toEqual(['S256']);
  });

  it('6: redirect_uri is in the pushed request', async () => {
    expect((await push({ redirect_uri: '' })).status).toBe(400);
  });

  it('7: iss is in the response, in errors too (RFC 9207)', async () => {
    expect((await authorize((await push()).body)).searchParams.get('iss')).toBe(instance.issuer);
    const denied = locationOf(await createBrowser().get(urlOf((await push({ prompt: 'none' })).body)));
    expect(denied.searchParams.get('iss')).toBe(instance.issuer);
    expect(denied.searchParams.get('error')).toBe('login_required');
  });

  it('8: nobody is sent to an http address but on their own machine', async () => {
    expect(await register({ redirect_uris: ['http://app.test/callback'] })).toMatchObject({ status: 400 });
    expect(await register({ redirect_uris: ['http://127.0.0.1/callback'] })).toMatchObject({ status: 201 });
    const before = await registerClient(instance, 'plain', {
      ...fapiClient,
      redirect_uris: ['http://app.test/callback', redirectUri],
    });
    const claims = { iss: before.id, sub: before.id };
    const params = { client_id: before.id, redirect_uri: 'http://app.test/callback' };
    expect((await push(params, { claims })).status).toBe(400);
    expect((await push({ client_id: before.id }, { claims })).status).toBe(201);
  });

  it('9: a code is good once', async () => {
    const code = await codeOf();
    expect((await redeem(code)).status).toBe(200);
    expect(await redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('10, 11: browsers are sent on by 302 and 303, never by 307', async () => {
    const browser = createBrowser();
    const statuses: number[] = [];
    const get = async (url: string) => {
      const response = await browser.get(url);
      statuses.push(response.status);
      return response;
    };
    const first = challengeIn(await get(urlOf((await push()).body)), 'login');
    const second = challengeIn(await get(await acceptLogin(instance, first, { subject: 'alice' })), 'consent');
    await get(await acceptConsent(instance, second));
    expect(statuses).toEqual([302, 302, 303]);
  });

  it('12: a request_uri lives for less than ten minutes', async () => {
    expect((await push()).body.expires_in).toBeLessThan(600);
  });

  it('14: the authorization endpoint knows no CORS', async () => {
    const headers = { origin: 'https://app.test', 'access-control-request-method': 'GET' };
    const preflight = await fetch(`${instance.issuer}/oauth2/auth`, { method: 'OPTIONS', headers });
    expect(preflight.headers.has('access-control-allow-origin')).toBe(false);
    const plain = await fetch(urlOf((await push()).body), { headers, redirect: 'manual' });
    expect(plain.headers.has('access-control-allow-origin')).toBe(false);
  });
});

describe('5.4.1 cryptography', () => {
  it('signatures are PS256, ES256 or EdDSA, ours and those of clients', async () => {
    const listed = Object.entries(await discovery()).filter(([name]) => name.endsWith('signing_alg_values_supported'));
    const allowed = ['PS256', 'ES256', 'EdDSA', 'Ed25519'];
    expect(listed.length).toBeGreaterThan(3);
    for (const [name, values] of listed) {
      expect(
        (values as string[]).filter((alg) => !allowed.includes(alg)),
        name,
      ).toEqual([]);
    }
  });

  it('an assertion by RS256 is refused, one by PS256 is not', async () => {
    expect((await push({}, { alg: 'RS256' })).status).toBe(401);
    expect((await push({}, { alg: 'PS256' })).status).toBe(201);
  });

  it('an unsigned assertion is refused', async () => {
    const [, payload] = (await assertion()).split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    expect((await push({ client_assertion: none })).status).toBe(401);
  });
});

const configOf = (more: ConfigInput): ConfigInput => ({
  dev: true,
  issuer: 'http://127.0.0.1:4444',
  secrets: { system: [testSecret] },
  storage: { default: 'memory:' },
  urls: { login: loginPage, consent: consentPage },
  ...settings,
  ...more,
  keys: { ...settings.keys, jwks: testKeys as never, ...more.keys },
});

describe('what contradicts the profile is said at start', () => {
  const on = { fapi: { enabled: true } };

  it.each<[string, ConfigInput, RegExp]>([
    ['PAR off', { features: { ...on, par: { enabled: false } } }, /features\.par\.enabled/],
    ['neither DPoP nor mTLS', { features: { ...on, dpop: { enabled: false } } }, /features\.dpop\.enabled/],
    ['hybrid response types', { features: { ...on, hybrid: { enabled: true } } }, /features\.hybrid\.enabled/],
    ['implicit response types', { features: { ...on, implicit: { enabled: true } } }, /features\.implicit\.enabled/],
    ['ID tokens by RS256', { keys: { idTokenAlg: 'RS256' } }, /keys\.idTokenAlg/],
    ['an issuer without TLS', { dev: false }, /issuer/],
  ])('%s', (_, config, problem) => {
    expect(() => parseConfig(configOf(config))).toThrow(problem);
  });

  it('the configuration of the example contradicts no rule', () => {
    expect(parseConfig(configOf({})).features.fapi.enabled).toBe(true);
  });
});
