import { decodeJwt, decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { postForm, refusal, userinfo } from '../call.ts';
import { redirectUri, registerClient } from '../clients.ts';
import { loginPage } from '../harness.ts';
import {
  askConsent,
  askLogin,
  authorizationParams,
  authorizationUrl,
  challengeIn,
  decideAll,
  errorAt,
  login,
  redeem,
  refresh,
  token,
} from '../login.ts';
import { answer, answerIn, ask, claimsOf } from './answers.ts';

/** The ID token, the authorization code flow, refresh. */
describe('OpenID Connect Core 1.0', () => {
  const instance = startBeforeTests();
  const client = registerBeforeTests(instance, 'client');
  const other = registerBeforeTests(instance, 'other');

  const codeFor = async (params = {}): Promise<string> => (await answer(instance, client, params)).params.code ?? '';
  const idTokenFor = async (params = {}) =>
    String((await redeem(instance, client, await codeFor(params))).body.id_token);

  test('2 an ID token has iss, sub, aud, exp and iat, and the nonce of the request', async () => {
    const claims = await claimsOf(instance, client, await idTokenFor({ nonce: 'n-0S6_WzA2Mj' }));
    expect(claims).toMatchObject({ iss: instance.issuer, sub: 'alice', aud: client.id, nonce: 'n-0S6_WzA2Mj' });
    expect(claims.exp).toBe((claims.iat ?? 0) + 3_600);
  });

  test('2 its header names the key, and carries none', async () => {
    const header = decodeProtectedHeader(await idTokenFor());
    expect(header).toEqual({ alg: 'ES256', kid: expect.any(String) });
  });

  test('2 without a nonce in the request there is none in the ID token', async () => {
    expect(decodeJwt(await idTokenFor({ nonce: '' }))).not.toHaveProperty('nonce');
  });

  test('2, 15.1 with max_age auth_time is there, and says when the person authenticated', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { auth_time, iat = 0 } = decodeJwt(await idTokenFor({ max_age: '10000' }));
    expect(auth_time).toBeGreaterThanOrEqual(before);
    expect(auth_time).toBeLessThanOrEqual(iat);
  });

  test('2, 10.1, 15.1 ID tokens can be signed with RS256', async () => {
    const rsa = await registerClient(instance, 'rsa', { id_token_signed_response_alg: 'RS256' });
    const idToken = (await login(instance, rsa)).id_token;
    expect(decodeProtectedHeader(String(idToken)).alg).toBe('RS256');
    expect((await claimsOf(instance, rsa, idToken)).sub).toBe('alice');
  });

  describe('3.1.2.1 the authentication request', () => {
    test('comes by GET or by POST', async () => {
      const browser = createBrowser();
      const posted = await browser.post(
        `${instance.issuer}/oauth2/auth`,
        authorizationParams(client, { state: 'mine' }),
      );
      const end = await browser.get(await decideAll(instance, browser, challengeIn(posted, 'login')));
      expect((await answerIn(end)).params).toMatchObject({ state: 'mine', code: expect.any(String) });
    });

    test.each(['response_type', 'redirect_uri'])('needs %s', async (name) => {
      expect(await errorAt(authorizationUrl(instance, client, { [name]: undefined }))).toBe('invalid_request');
    });

    test('a redirect_uri is one of the registered, character for character; else nobody is sent there', async () => {
      for (const redirect_uri of [`${redirectUri}/`, `${redirectUri}?a=b`, redirectUri.toUpperCase()]) {
        const response = await createBrowser().get(authorizationUrl(instance, client, { redirect_uri }));
        expect(locationOf(response).host).toBe('login.test');
      }
    });

    test('a client that is not known is told to the person, not to a redirect_uri', async () => {
      expect(await errorAt(authorizationUrl(instance, { id: 'nobody' }))).toBe('invalid_client');
    });

    test('parameters that are not known are ignored (RFC 6749, 3.1)', async () => {
      expect(await codeFor({ extra: 'foobar' })).toBeTruthy();
    });

    test('a parameter that comes twice is refused (RFC 6749, 3.1)', async () => {
      expect(await errorAt(`${authorizationUrl(instance, client)}&nonce=another`)).toBe('invalid_request');
    });

    test.each([
      ['display', 'page'],
      ['ui_locales', 'se de'],
      ['claims_locales', 'se'],
      ['acr_values', '1 2'],
      ['login_hint', 'bob@example.com'],
    ])('15.1 %s is no error, and reaches the login app', async (name, value) => {
      const { request_url } = await askLogin(instance, client, { params: { [name]: value } });
      expect(new URL(String(request_url)).searchParams.get(name)).toBe(value);
    });

    test('prompt=none with another value is an error', async () => {
      const { params } = await ask(instance, client, { prompt: 'none login', state: 'mine' });
      expect(params).toMatchObject({ error: 'invalid_request', state: 'mine', iss: instance.issuer });
    });

    test('prompt=none never shows a page: login_required', async () => {
      const { params } = await ask(instance, client, { prompt: 'none', state: 'mine' });
      expect(params).toMatchObject({ error: 'login_required', state: 'mine', iss: instance.issuer });
      expect(params).not.toHaveProperty('code');
    });
  });

  describe('3.1.2.3 with a login that is remembered', () => {
    const browser = createBrowser();
    const subjectOf = (params: Record<string, string>) => askLogin(instance, client, { browser, params });
    let hint: string;

    beforeAll(async () => {
      const options = { browser, login: { remember: true }, consent: { remember: true } };
      hint = String((await login(instance, client, options)).id_token);
    });

    test('the user is not asked again', async () => {
      expect(await subjectOf({})).toMatchObject({ skip: true, subject: 'alice' });
    });

    test('prompt=none succeeds without a page, for the same sub', async () => {
      const { params } = await answer(instance, client, { prompt: 'none' }, { browser });
      const { body } = await redeem(instance, client, params.code ?? '');
      expect(decodeJwt(String(body.id_token)).sub).toBe('alice');
    });

    test.each([{ prompt: 'login' }, { prompt: 'select_account' }, { max_age: '0' }])(
      '%o asks again',
      async (params) => {
        expect(await subjectOf(params as never)).toMatchObject({ skip: false, subject: '' });
      },
    );

    test('prompt=consent asks the consent app again', async () => {
      expect((await askConsent(instance, client, { browser, params: { prompt: 'consent' } })).skip).toBe(false);
    });

    test('3.1.2.1 id_token_hint of the person who is logged in: no error', async () => {
      const { params } = await answer(instance, client, { prompt: 'none', id_token_hint: hint }, { browser });
      expect(params.code).toBeTruthy();
    });

    test('3.1.2.1, 3.1.2.2 id_token_hint of somebody else: login_required', async () => {
      const theirs = String((await login(instance, client, { subject: 'bob' })).id_token);
      const request = authorizationUrl(instance, client, { prompt: 'none', id_token_hint: theirs });
      expect((await answerIn(await browser.get(request))).params.error).toBe('login_required');
    });
  });

  test('3.1.2.3, 3.1.2.4 pages of ours can not be framed, and without consent nothing is released', async () => {
    const response = await createBrowser().get(authorizationUrl(instance, client));
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(locationOf(response).href.startsWith(loginPage)).toBe(true);
    const { params } = await answer(instance, client, {}, { consent: { grant_scope: [] } });
    expect(params).toMatchObject({ error: 'access_denied' });
    expect(params).not.toHaveProperty('code');
  });

  test('3.1.2.5, 3.1.2.6 answers and errors bring state back unchanged', async () => {
    const state = 'a b&c=d#e+f%20';
    expect((await answer(instance, client, { state })).params.state).toBe(state);
    expect((await ask(instance, client, { state, prompt: 'none' })).params.state).toBe(state);
  });

  test.each([
    ['request_uri', 'https://app.test/request.jwt', 'request_uri_not_supported'],
    ['registration', '{}', 'registration_not_supported'],
  ])('3.1.2.6, 6.2, 7.2.1 %s is answered with its own error', async (name, value, error) => {
    expect((await ask(instance, client, { [name]: value })).params.error).toBe(error);
  });

  describe('3.1.3 the token endpoint', () => {
    const grant = async () => ({
      grant_type: 'authorization_code',
      code: await codeFor({ code_challenge: '', code_challenge_method: '' }),
      redirect_uri: redirectUri,
    });

    test('3.1.3.3 answers JSON that nobody caches, with a Bearer token and an ID token', async () => {
      const { status, headers, body } = await token(instance, client, await grant());
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
      expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, id_token: expect.any(String) });
    });

    test('3.1.3.2 the client has to authenticate', async () => {
      const answered = await token(instance, { id: client.id, secret: 'wrong secret' }, await grant());
      expect([answered.status, answered.body.error]).toEqual([401, 'invalid_client']);
      expect(answered.headers.get('www-authenticate')).toMatch(/^Basic /);
    });

    test('3.1.3.2 the code is good for the client it was issued to, and no other', async () => {
      expect((await token(instance, other, await grant())).body.error).toBe('invalid_grant');
    });

    test.each([
      ['a code that is none', { code: 'carnet_ac_none' }, 'invalid_grant'],
      ['another redirect_uri', { redirect_uri: `${redirectUri}2` }, 'invalid_grant'],
      ['a grant type that is none', { grant_type: 'password' }, 'unsupported_grant_type'],
    ])('3.1.3.2, 3.1.3.4 %s is refused', async (_what, wrong, error) => {
      expect(await token(instance, client, { ...(await grant()), ...wrong })).toMatchObject(refusal(error));
    });

    test('3.1.3.2 a code is used once; its second use takes back what came of the first', async () => {
      const request = await grant();
      const first = await token(instance, client, request);
      expect((await token(instance, client, request)).body.error).toBe('invalid_grant');
      expect((await userinfo(instance, first.body.access_token)).status).toBe(401);
    });

    test('9 credentials are accepted by the registered method, and only by that', async () => {
      const registered = { token_endpoint_auth_method: 'client_secret_basic' };
      const { id, secret = '' } = await registerClient(instance, 'basic-only', registered);
      const form = { ...(await grant()), client_id: id, client_secret: secret };
      expect(await postForm(`${instance.issuer}/oauth2/token`, form)).toMatchObject(refusal('invalid_client', 401));
    });
  });

  test('11, 12.2 a refresh keeps iss, sub, aud and auth_time; iat is new', async () => {
    const first = await login(instance, client);
    const second = await refresh(instance, client, first.refresh_token);
    const [before, after] = [first, second.body].map((body) => decodeJwt(String(body.id_token)));
    for (const name of ['iss', 'sub', 'aud', 'auth_time', 'sid']) expect(after?.[name]).toEqual(before?.[name]);
    expect(after?.iat).toBeGreaterThanOrEqual(before?.iat ?? 0);
  });

  test('11 without offline_access there is no refresh token', async () => {
    const consent = { grant_scope: ['openid'] };
    expect(await login(instance, client, { params: { scope: 'openid' }, consent })).not.toHaveProperty('refresh_token');
  });
});
