import type { JWTPayload } from 'jose';
import * as oidc from 'openid-client';
import { describe, expect, it } from 'vitest';
import type { ConfigInput } from '../../src/config/config-input.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { type Answer, discovery, postForm, refusal } from '../call.ts';
import { redirectUri, registerClient } from '../clients.ts';
import {
  acceptConsent,
  acceptLogin,
  authorizationUrlOf,
  authorizeAt,
  challengeIn,
  codeChallenge,
  codeIn,
  errorAt,
  introspect,
  pushedUrl,
  redemptionOf,
} from '../login.ts';
import { prepare } from '../relying-party.ts';
import { dpopProof, otherProofKeys, proofThumbprint } from '../signed-requests.ts';
import {
  authenticationOf,
  configOf,
  ecKeys,
  jwks,
  now as nowInSeconds,
  registering,
  type Signing,
  settingsOf,
  sign,
} from './fapi.ts';

/**
 * FAPI 2.0 Security Profile (final, February 2025), section 5.3.2: what it says of the authorization server. What it
 * says of TLS is the proxy's part, but for the issuer and redirect URIs.
 */
const settings = settingsOf('fapi2');

const fapiClient = {
  token_endpoint_auth_method: 'private_key_jwt',
  jwks,
  dpop_bound_access_tokens: true,
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
};

const instance = startBeforeTests({ config: { features: settings.features, ttl: settings.ttl } });
const client = registerBeforeTests(instance, 'fapi', fapiClient);

interface Options extends Signing {
  readonly claims?: JWTPayload;
  readonly proof?: string;
}

const post = async (
  path: string,
  params: Readonly<Record<string, string>>,
  { proof, claims, ...signing }: Options = {},
) =>
  postForm(
    `${instance.issuer}${path}`,
    { ...(await authenticationOf(client.id, instance.issuer, claims, signing)), ...params },
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

const push = (params: Readonly<Record<string, string>> = {}, options: Options = {}) =>
  post('/oauth2/par', { ...request, ...params }, options);

const urlOf = (pushed: Answer): string => pushedUrl(instance, client, pushed);

/** A flow from a pushed request to the client's redirect URI. */
const authorize = (pushed: Answer): Promise<URL> => authorizeAt(instance, urlOf(pushed));
const codeOf = async (params?: Readonly<Record<string, string>>, options?: Options): Promise<string> =>
  codeIn(await authorize(await push(params, options)));

const tokenEndpoint = () => `${instance.issuer}/oauth2/token`;
const proofFor = () => dpopProof(tokenEndpoint());
const redeem = async (code: string, options: Options = {}) =>
  post('/oauth2/token', redemptionOf(code), { proof: await proofFor(), ...options });

const register = (changes: object) => registering(instance, fapiClient, changes);

describe('FAPI 2.0 Security Profile', () => {
  it('a whole login of openid-client with private_key_jwt, PAR and DPoP', async () => {
    const config = await oidc.discovery(
      new URL(instance.issuer),
      client.id,
      {},
      oidc.PrivateKeyJwt({ key: ecKeys.privateKey, kid: 'es' }),
      { execute: [oidc.allowInsecureRequests] },
    );
    const DPoP = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair('ES256'));
    const { url, checks } = await prepare(config);
    const pushed = await oidc.buildAuthorizationUrlWithPAR(config, new URL(url).searchParams, { DPoP });
    const end = await authorizeAt(instance, pushed.href);
    const tokens = await oidc.authorizationCodeGrant(config, end, checks, {}, { DPoP });
    expect(tokens).toMatchObject({ token_type: 'dpop', refresh_token: expect.any(String) });
    expect(await oidc.fetchUserInfo(config, tokens.access_token, 'alice', { DPoP })).toMatchObject({ sub: 'alice' });
    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '', {}, { DPoP });
    expect(refreshed.refresh_token).toBe(tokens.refresh_token);
  });
});

describe('5.3.2.1 general requirements', () => {
  it('1: metadata are published', async () => {
    expect(await discovery(instance)).toMatchObject({ issuer: instance.issuer, token_endpoint: tokenEndpoint() });
  });

  it('2: the password grant is rejected', async () => {
    const answer = await post('/oauth2/token', { grant_type: 'password', username: 'alice', password: 'x' });
    expect(answer).toMatchObject(refusal('unsupported_grant_type'));
  });

  it.each(['none', 'client_secret_basic', 'client_secret_post'])(
    '3, 6: no client authenticates by %s',
    async (method) => {
      expect(await register({ token_endpoint_auth_method: method })).toMatchObject({ status: 400 });
      expect((await discovery(instance)).token_endpoint_auth_methods_supported).toEqual(['private_key_jwt']);
    },
  );

  it('3, 6: no client that was registered with a secret before authenticates', async () => {
    const { id, secret = '' } = await registerClient(instance, 'before', {
      token_endpoint_auth_method: 'client_secret_post',
    });
    const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
    const { status } = await postForm(tokenEndpoint(), form, { dpop: await proofFor() });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  it('4, 5: only tokens that are bound to a key are issued', async () => {
    const refused = await redeem(await codeOf(), { proof: undefined });
    expect(refused).toMatchObject(refusal('invalid_grant'));
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
    expect((await post('/oauth2/token', params, { claims, proof: await proofFor() })).status).toBe(200);
  });

  it('7: nobody is sent to an address that is not registered', async () => {
    const query = { client_id: client.id, ...request, redirect_uri: 'https://evil.test/' };
    const end = locationOf(await createBrowser().get(authorizationUrlOf(instance, query)));
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
    expect(await push({}, { claims })).toMatchObject(refusal('invalid_client', 401));
  });

  it('9: refresh tokens are not rotated', async () => {
    const { body } = await redeem(await codeOf());
    const form = { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) };
    for (const _ of [1, 2, 3]) {
      const answer = await post('/oauth2/token', form, { proof: await proofFor() });
      expect(answer).toMatchObject({ status: 200, body: { refresh_token: body.refresh_token } });
    }
  });

  it('11: a code lives for a minute at most', () => {
    expect(parseConfig(configOf(settings)).ttl.authCode).toBe(60);
    expect(() => parseConfig(configOf(settings, { ttl: { authCode: 61 } }))).toThrow(/ttl\.authCode/);
  });

  it('12: a code is bound to the key of its request (RFC 9449, section 10)', async () => {
    const proof = await dpopProof(`${instance.issuer}/oauth2/par`);
    const bound = await codeOf({}, { proof });
    const wrong = await dpopProof(tokenEndpoint(), undefined, otherProofKeys);
    expect(await redeem(bound, { proof: wrong })).toMatchObject(refusal('invalid_grant'));
    expect((await redeem(bound)).status).toBe(200);
    const named = await codeOf({ dpop_jkt: proofThumbprint });
    expect((await redeem(named, { proof: wrong })).status).toBe(400);
    expect((await redeem(named)).status).toBe(200);
  });

  it('12: dpop_jkt has to be the thumbprint of the proof beside it', async () => {
    const proof = await dpopProof(`${instance.issuer}/oauth2/par`);
    expect((await push({ dpop_jkt: 'a'.repeat(43) }, { proof })).status).toBe(400);
  });

  it('13: clocks of assertions may be 10 seconds ahead, and not more than 60', async () => {
    const now = nowInSeconds();
    expect((await push({}, { claims: { iat: now + 9, nbf: now + 9, exp: now + 60 } })).status).toBe(201);
    expect((await push({}, { claims: { iat: now + 75, exp: now + 120 } })).status).toBe(401);
    expect((await push({}, { claims: { nbf: now + 75, exp: now + 120 } })).status).toBe(401);
  });

  it('13: clocks of request objects may be 10 seconds ahead, and not more than 60', async () => {
    const now = nowInSeconds();
    const pushedAt = async (iat: number) => {
      const times = { iat, nbf: now - 1, exp: now + 300 };
      const claims = { client_id: client.id, ...request, iss: client.id, aud: instance.issuer, ...times };
      return post('/oauth2/par', { request: await sign(claims) });
    };
    expect((await pushedAt(now + 9)).status).toBe(201);
    expect(await pushedAt(now + 75)).toMatchObject(refusal('invalid_request_object'));
  });

  it('13: clocks of DPoP proofs may be 10 seconds ahead, and not more than 60', async () => {
    const pushAhead = async (seconds: number) =>
      push(
        {},
        { proof: await dpopProof(`${instance.issuer}/oauth2/par`, undefined, undefined, nowInSeconds() + seconds) },
      );
    expect((await pushAhead(9)).status).toBe(201);
    expect(await pushAhead(75)).toMatchObject(refusal('invalid_dpop_proof'));
  });
});

describe('members that only Hydra has', () => {
  it('are not in an authorization response: its parameters are code, state and iss', async () => {
    const end = await authorize(await push());
    expect([...end.searchParams.keys()].toSorted()).toEqual(['code', 'iss', 'state']);
  });

  it('are not in the discovery document', async () => {
    const document = await discovery(instance);
    for (const name of ['id_token_signed_response_alg', 'userinfo_signed_response_alg'])
      expect(document).not.toHaveProperty(name);
  });
});

describe('5.3.2.2 authorization code flow', () => {
  it('1: response_type is code', async () => {
    expect((await discovery(instance)).response_types_supported).toEqual(['code']);
    expect((await push({ response_type: 'code id_token', nonce: 'n-0123456789' })).status).toBe(400);
  });

  it('2, 4: requests are pushed by clients that have authenticated', async () => {
    expect((await postForm(`${instance.issuer}/oauth2/par`, { client_id: client.id, ...request })).status).toBe(401);
    expect((await push()).status).toBe(201);
  });

  it('3: a request that was not pushed is rejected', async () => {
    const url = authorizationUrlOf(instance, { client_id: client.id, ...request });
    expect(await errorAt(url)).toBe('invalid_request');
    expect((await discovery(instance)).require_pushed_authorization_requests).toBe(true);
  });

  it('5: PKCE with S256', async () => {
    expect((await push({ code_challenge_method: '', code_challenge: '' })).status).toBe(400);
    expect((await push({ code_challenge_method: 'plain' })).status).toBe(400);
    expect((await discovery(instance)).code_challenge_methods_supported).toEqual(['S256']);
  });

  it('6: redirect_uri is in the pushed request', async () => {
    expect((await push({ redirect_uri: '' })).status).toBe(400);
  });

  it('7: iss is in the response, in errors too (RFC 9207)', async () => {
    expect((await authorize(await push())).searchParams.get('iss')).toBe(instance.issuer);
    const denied = locationOf(await createBrowser().get(urlOf(await push({ prompt: 'none' }))));
    expect(denied.searchParams.get('iss')).toBe(instance.issuer);
    expect(denied.searchParams.get('error')).toBe('login_required');
  });

  it('8: nobody is sent to an http address but on their own machine', async () => {
    expect(await register({ redirect_uris: ['http://app.test/callback'] })).toMatchObject({ status: 400 });
    expect(await register({ redirect_uris: ['http://127.0.0.1/callback'] })).toMatchObject({ status: 201 });
    const redirects = { redirect_uris: ['http://app.test/callback', redirectUri] };
    const before = await registerClient(instance, 'plain', { ...fapiClient, ...redirects });
    const claims = { iss: before.id, sub: before.id };
    const params = { client_id: before.id, redirect_uri: 'http://app.test/callback' };
    expect((await push(params, { claims })).status).toBe(400);
    expect((await push({ client_id: before.id }, { claims })).status).toBe(201);
  });

  it('9: a code is good once', async () => {
    const code = await codeOf();
    expect((await redeem(code)).status).toBe(200);
    expect(await redeem(code)).toMatchObject(refusal('invalid_grant'));
  });

  it('10, 11: browsers are sent on by 302 and 303, never by 307', async () => {
    const browser = createBrowser();
    const statuses: number[] = [];
    const get = async (url: string) => {
      const response = await browser.get(url);
      statuses.push(response.status);
      return response;
    };
    const first = challengeIn(await get(urlOf(await push())), 'login');
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
    const plain = await fetch(urlOf(await push()), { headers, redirect: 'manual' });
    expect(plain.headers.has('access-control-allow-origin')).toBe(false);
  });
});

describe('5.4.1 cryptography', () => {
  it('signatures are PS256, ES256 or EdDSA, ours and those of clients', async () => {
    const document = Object.entries(await discovery(instance));
    const listed = document.filter(([name]) => name.endsWith('signing_alg_values_supported'));
    const allowed = ['PS256', 'ES256', 'EdDSA', 'Ed25519'];
    expect(listed.length).toBeGreaterThan(3);
    for (const [name, values] of listed) expect(allowed, name).toEqual(expect.arrayContaining(values as []));
  });

  it('an assertion by RS256 is refused, one by PS256 is not', async () => {
    expect((await push({}, { alg: 'RS256' })).status).toBe(401);
    expect((await push({}, { alg: 'PS256' })).status).toBe(201);
  });

  it('an unsigned assertion is refused', async () => {
    const [, payload] = (await authenticationOf(client.id, instance.issuer)).client_assertion.split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    expect((await push({ client_assertion: none })).status).toBe(401);
  });
});

describe('what contradicts the profile is said at start', () => {
  it.each<[string, ConfigInput, RegExp]>([
    ['PAR off', { features: { par: { enabled: false } } }, /features\.par\.enabled/],
    ['neither DPoP nor mTLS', { features: { dpop: { enabled: false } } }, /features\.dpop\.enabled/],
    ['hybrid response types', { features: { hybrid: { enabled: true } } }, /features\.hybrid\.enabled/],
    ['implicit response types', { features: { implicit: { enabled: true } } }, /features\.implicit\.enabled/],
    ['ID tokens by RS256', { keys: { idTokenAlg: 'RS256' } }, /keys\.idTokenAlg/],
    ['an issuer without TLS', { dev: false }, /issuer/],
  ])('%s', (_, config, problem) => {
    expect(() => parseConfig(configOf(settings, config))).toThrow(problem);
  });

  it('the configuration of the example contradicts no rule', () => {
    expect(parseConfig(configOf(settings)).features.fapi.enabled).toBe(true);
  });
});
