import { decodeJwt, decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { createBrowser } from '../browser.ts';
import { call, discovery, postForm, userinfo } from '../call.ts';
import { registerClient, type TestClient } from '../clients.ts';
import type { Instance } from '../harness.ts';
import { askLogin, authorizationUrl, credentialsFor, type Json, login, redeem, refresh } from '../login.ts';
import { allOn, answer, answerIn, answeringBeforeTests, ask, claimsOf, startAnswering } from './answers.ts';

const claims = (of: Json): { claims: string } => ({ claims: JSON.stringify(of) });
const profile = { name: 'Alice', email: 'alice@app.test', phone_number: '+1', address: { country: 'NL' } };
const consent = { session: { id_token: profile } };

/** Userinfo, claims and how they are asked for. */
describe('OpenID Connect Core 1.0', () => {
  const { instance, client } = answeringBeforeTests();
  let accessToken: string;

  beforeAll(async () => {
    accessToken = String((await login(instance, client, { consent })).access_token);
  });

  const request = (init: RequestInit) => fetch(`${instance.issuer}/userinfo`, init);
  const bearer = (value: unknown = accessToken) => ({ authorization: `Bearer ${value}` });

  describe('5.3 userinfo', () => {
    test.each(['GET', 'POST'])('5.3.1 answers %s with the token in the header (RFC 6750, 2.1)', async (method) => {
      const { status, headers, body } = await call(`${instance.issuer}/userinfo`, { method, headers: bearer() });
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(body).toEqual({ sub: 'alice', ...profile });
    });

    test('5.3.1 takes the token from a form (RFC 6750, 2.2)', async () => {
      const form = { access_token: accessToken };
      expect((await postForm(`${instance.issuer}/userinfo`, form)).body).toMatchObject({ sub: 'alice' });
    });

    test('5.3.2 says the sub of the ID token', async () => {
      const { id_token: idToken, access_token: value } = await login(instance, client, { subject: 'bob' });
      expect((await userinfo(instance, value)).body.sub).toBe(decodeJwt(String(idToken)).sub);
    });

    test.each(['ES256', 'RS256'])('5.3.2 is a JWT with iss and aud where the client registered %s', async (alg) => {
      const signed = await registerClient(instance, `signed-${alg}`, { userinfo_signed_response_alg: alg });
      const { access_token: value } = await login(instance, signed, { consent });
      const response = await request({ headers: bearer(value) });
      expect(response.headers.get('content-type')).toMatch(/^application\/jwt/);
      const jwt = await response.text();
      expect(decodeProtectedHeader(jwt)).toMatchObject({ alg, kid: expect.any(String) });
      expect(await claimsOf(instance, signed, jwt)).toMatchObject({ sub: 'alice', ...profile });
    });

    test.each([
      ['no token', {}, 'GET', undefined, 401, /^Bearer realm="[^"]+"(, DPoP|$)/],
      ['an unknown token', { authorization: 'Bearer nothing' }, 'GET', undefined, 401, /error="invalid_token"/],
      ['the token in the query', {}, 'GET', '?access_token=nothing', 400, /error="invalid_request"/],
      ['a token in two places', { authorization: 'Bearer a' }, 'POST', undefined, 400, /error="invalid_request"/],
    ])('5.3.3 %s: an error of RFC 6750, section 3', async (_what, headers, method, query, status, challenge) => {
      const body = method === 'POST' ? new URLSearchParams({ access_token: 'b' }) : undefined;
      const response = await fetch(`${instance.issuer}/userinfo${query ?? ''}`, { method, headers, body });
      expect(response.status).toBe(status);
      expect(response.headers.get('www-authenticate')).toMatch(challenge);
    });

    test('5.3.3 a token without the openid scope: insufficient_scope, and the scope that is wanted', async () => {
      const options = { params: { scope: 'profile', nonce: '' }, consent: { grant_scope: ['profile'] } };
      const { access_token: value } = await login(instance, client, options);
      const response = await request({ headers: bearer(value) });
      expect(response.status).toBe(403);
      expect(response.headers.get('www-authenticate')).toMatch(/error="insufficient_scope".*scope="openid"/);
    });

    test("5.3.3 a client's own token is nobody's", async () => {
      const { body } = await credentialsFor(instance, client);
      expect((await userinfo(instance, body.access_token)).status).toBe(401);
    });
  });

  describe('5.4 claims of scopes', () => {
    const idTokenOf = async (at: Instance, app: TestClient, params = {}) => {
      const { params: got } = await answer(at, app, { response_type: 'code id_token', ...params }, { consent });
      const { body } = await redeem(at, app, got.code ?? '');
      return [decodeJwt(got.id_token ?? ''), decodeJwt(String(body.id_token)), body] as const;
    };

    test('stand in userinfo and, unless configured otherwise, in ID tokens', async () => {
      const [front, back] = await idTokenOf(instance, client);
      expect([front, back]).toMatchObject([profile, profile]);
    });

    test('as the text has it, with tokens.idTokenClaims "requested": not where userinfo can be asked', async () => {
      const strict = await startAnswering({ config: { features: allOn, tokens: { idTokenClaims: 'requested' } } });
      const { instance: at, client: app } = strict;
      const [front, back, body] = await idTokenOf(at, app);
      for (const idToken of [front, back]) expect(Object.keys(idToken)).not.toContain('name');
      expect((await userinfo(at, body.access_token)).body).toMatchObject(profile);
      const alone = await answer(at, app, { response_type: 'id_token' }, { consent });
      expect(decodeJwt(alone.params.id_token ?? '')).toMatchObject(profile);
      // 5.5: what the request asks the ID token for stands there, and after a refresh, too.
      const [first, second, more] = await idTokenOf(at, app, claims({ id_token: { email: null } }));
      const third = decodeJwt(String((await refresh(at, app, more.refresh_token)).body.id_token));
      for (const idToken of [first, second, third]) {
        expect([idToken.email, idToken.name]).toEqual([profile.email, undefined]);
      }
    });
  });

  describe('5.5 the claims parameter', () => {
    test('reaches the login and consent apps', async () => {
      const wanted = claims({ userinfo: { name: { essential: true } } });
      const body = await askLogin(instance, client, { params: wanted });
      expect(new URL(String(body.request_url)).searchParams.get('claims')).toBe(wanted.claims);
    });

    test.each([
      ['no JSON', '{'],
      ['a list', '[]'],
      ['neither userinfo nor id_token', '{}'],
      ['a part that is no object', '{"userinfo": 1}'],
      ['acr values that are no list', '{"id_token": {"acr": {"values": "a"}}}'],
      [
        'too many names',
        JSON.stringify({ id_token: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [i, null])) }),
      ],
    ])('%s is refused', async (_what, text) => {
      expect((await ask(instance, client, { claims: text })).params.error).toBe('invalid_request');
    });

    test.each(['__proto__', 'constructor', 'toString'])('a claim called %s asks for nothing', async (name) => {
      const wanted = { claims: `{"id_token": {"${name}": {"essential": true}}}` };
      const { params } = await answer(instance, client, wanted);
      const { body } = await redeem(instance, client, params.code ?? '');
      expect(await claimsOf(instance, client, body.id_token)).toMatchObject({ sub: 'alice' });
    });

    test('5.5 names that nobody knows, and languages, are ignored', async () => {
      const wanted = claims({ userinfo: { 'given_name#ja-Kana-JP': null, 'http://example.info/claims/groups': null } });
      expect((await answer(instance, client, wanted)).params.code).toBeTruthy();
    });

    test('5.5.1, 3.1.2.2 a sub that is asked for is the only one that is answered for', async () => {
      const wanted = claims({ id_token: { sub: { value: 'alice' } } });
      expect((await answer(instance, client, wanted)).params.code).toBeTruthy();
      const { params } = await answer(instance, client, wanted, { subject: 'bob' });
      expect(params).toMatchObject({ error: 'login_required' });
      expect(params).not.toHaveProperty('code');
    });

    test('5.5.1, 3.1.2.2 nor is a remembered login of somebody else taken for it', async () => {
      const browser = createBrowser();
      await login(instance, client, { browser, subject: 'bob', login: { remember: true } });
      const wanted = { ...claims({ id_token: { sub: { value: 'alice' } } }), prompt: 'none' };
      const response = await browser.get(authorizationUrl(instance, client, wanted));
      expect((await answerIn(response)).params.error).toBe('login_required');
    });

    test.each([
      ['values', { essential: true, values: ['urn:two', 'urn:three'] }],
      ['value', { essential: true, value: 'urn:two' }],
    ])('5.5.1.1 an essential acr with %s is reached, or the login has failed', async (_what, acr) => {
      const wanted = claims({ id_token: { acr } });
      const reached = await answer(instance, client, wanted, { login: { acr: 'urn:two' } });
      const { body } = await redeem(instance, client, reached.params.code ?? '');
      expect(decodeJwt(String(body.id_token)).acr).toBe('urn:two');
      const missed = await answer(instance, client, wanted, { login: { acr: 'urn:one' } });
      expect(missed.params.error).toBe('unmet_authentication_requirements');
      const silent = await answer(instance, client, wanted);
      expect(silent.params.error).toBe('unmet_authentication_requirements');
    });

    test('5.5.1.1 the login app is asked for an essential acr as for acr_values', async () => {
      const contextOf = async (params: Record<string, string>) =>
        (await askLogin(instance, client, { params })).oidc_context;
      const acr = { essential: true, values: ['urn:two', { not: 'a text' }, 'urn:three'] };
      expect(await contextOf(claims({ id_token: { acr } }))).toEqual({ acr_values: ['urn:two', 'urn:three'] });
      expect(await contextOf(claims({ id_token: { acr: { values: ['urn:two'] } } }))).toEqual({});
      const both = { ...claims({ id_token: { acr } }), acr_values: 'urn:one' };
      expect(await contextOf(both)).toEqual({ acr_values: ['urn:one'] });
    });

    test('5.5.1.1 an essential acr overrides the registered default_acr_values', async () => {
      const strict = await registerClient(instance, 'with-default-acr', { default_acr_values: ['urn:one'] });
      const wanted = claims({ id_token: { acr: { essential: true, value: 'urn:two' } } });
      const missed = await answer(instance, strict, wanted, { login: { acr: 'urn:one' } });
      expect(missed.params.error).toBe('unmet_authentication_requirements');
      const malformed = await ask(instance, strict, { claims: '{' });
      expect(malformed.params.error).toBe('invalid_request');
      const voluntary = await answer(instance, strict, {}, { login: { acr: 'urn:two' } });
      expect(voluntary.params.code).toBeTruthy();
    });

    test('5.5.1.1 a voluntary acr, or acr_values, that is not reached is no error', async () => {
      for (const params of [claims({ id_token: { acr: { values: ['urn:two'] } } }), { acr_values: 'urn:two' }]) {
        expect((await answer(instance, client, params, { login: { acr: 'urn:one' } })).params.code).toBeTruthy();
      }
    });

    test('5.5 switched off, it is ignored', async () => {
      const plain = await startAnswering({ config: { features: { claimsParameter: { enabled: false } } } });
      const { params } = await answer(plain.instance, plain.client, { claims: '{' });
      expect(params.code).toBeTruthy();
      expect(await discovery(plain.instance)).toMatchObject({ claims_parameter_supported: false });
    });
  });

  test('8 one person has one sub for one client, each time', async () => {
    const subjects = [await login(instance, client), await login(instance, client)];
    expect(subjects.map(({ id_token }) => decodeJwt(String(id_token)).sub)).toEqual(['alice', 'alice']);
  });
});
