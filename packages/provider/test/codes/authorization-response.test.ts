import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests, startInTest } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { bearerOf } from '../call.ts';
import { basicOf, redirectUri, registerClient } from '../clients.ts';
import {
  askLogin,
  authorizationUrl,
  authorize,
  begin,
  codeFor,
  codeIn,
  errorAt,
  type Json,
  logIn,
  login,
  redemptionOf,
  reject,
  token,
} from '../login.ts';

describe('what a client gets back', () => {
  const instance = startBeforeTests();
  const client = registerBeforeTests(instance, 'client', { allowed_cors_origins: ['https://spa.test'] });

  const atClient = (response: Response): Record<string, string> => {
    const url = locationOf(response);
    expect(url.origin + url.pathname).toBe(redirectUri);
    return Object.fromEntries(url.searchParams);
  };

  describe.each(['login', 'consent'] as const)('when the %s app rejects', (what) => {
    const rejected = async (body: Json) => {
      const browser = createBrowser();
      const options = { browser, params: { state: 'of the client' }, login: { remember: true } };
      const challenge = await (what === 'consent'
        ? logIn(instance, client, options)
        : begin(browser, authorizationUrl(instance, client, options.params)));
      return { browser, response: await browser.get(await reject(instance, what, challenge, body)) };
    };

    test('the client receives error, description with hint, state and iss, and no other parameter', async () => {
      const { response, browser } = await rejected({
        error: 'access_denied',
        error_description: 'The person said no.',
        error_hint: 'Ask again.',
        error_debug: 'for developers',
        status_code: 403,
      });
      expect(response.status).toBe(303);
      expect(atClient(response)).toEqual({
        error: 'access_denied',
        error_description: 'The person said no. Ask again.',
        state: 'of the client',
        iss: instance.issuer,
      });
      // A login that is to be remembered survives a denied consent; every cookie of the flow is removed.
      expect([...browser.cookies.keys()]).toEqual(what === 'consent' ? ['carnet_session'] : []);
    });

    test('the client receives the default reason when the app gives none', async () => {
      expect(atClient((await rejected({})).response).error).toBe(`${what} request denied`);
    });

    const outcome = what === 'consent' ? 'keeps the login, which was to be remembered' : 'signs no user in';
    test(outcome, async () => {
      const { browser } = await rejected({ error: 'access_denied' });
      const expected = what === 'consent' ? { skip: true, subject: 'alice' } : { skip: false, subject: '' };
      expect(await askLogin(instance, client, { browser })).toMatchObject(expected);
    });
  });

  test.each([
    ['an unknown scope', { scope: 'openid admin' }, 'invalid_scope'],
    ['no scope', { scope: '' }, 'invalid_scope'],
    ['an audience that is not registered', { audience: 'https://elsewhere.test' }, 'invalid_request'],
    ['a prompt that is not known', { prompt: 'sometimes' }, 'invalid_request'],
    ['a max_age that is no number', { max_age: 'soon' }, 'invalid_request'],
    ['an id_token_hint that is none', { id_token_hint: 'eyJhbGciOiJub25lIn0.e30.' }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a request object that nobody signed', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'invalid_request_object'],
  ])('for %s: %o is answered with %s', async (_what, params, error) => {
    const url = authorizationUrl(instance, client, { ...(params as unknown as Record<string, string>), state: 'mine' });
    expect(atClient(await createBrowser().get(url))).toMatchObject({ error, state: 'mine', iss: instance.issuer });
  });

  test('a public client without PKCE is refused', async () => {
    const open = await registerClient(instance, 'open', { token_endpoint_auth_method: 'none' });
    const url = authorizationUrl(instance, open, { code_challenge: undefined, code_challenge_method: undefined });
    expect(atClient(await createBrowser().get(url)).error).toBe('invalid_request');
  });

  test('a public client without PKCE gets tokens where pkce.required is "never"', async () => {
    const lax = await startInTest({ config: { pkce: { required: 'never' } } });
    const open = await registerClient(lax, 'open', { token_endpoint_auth_method: 'none' });
    const params = { code_challenge: undefined, code_challenge_method: undefined };
    const { code_verifier, ...redemption } = redemptionOf(await codeFor(lax, open, { params }));
    expect((await token(lax, open, redemption)).status).toBe(200);
  });

  test.each(['state', 'nonce'])('%s is refused when it is sent twice with one value', async (name) => {
    const once = new URL(authorizationUrl(instance, client, { state: 'mine' }));
    const again = new URLSearchParams({ [name]: once.searchParams.get(name) ?? '' });
    expect(await errorAt(`${once}&${again}`)).toBe('invalid_request');
  });

  test.each([
    ['a redirect_uri that is not registered', { redirect_uri: 'https://evil.test/' }, 'redirect_uri'],
    ['a redirect_uri that only begins like one', { redirect_uri: `${redirectUri}/../elsewhere` }, 'redirect_uri'],
    ['a client that is not known', { client_id: 'nobody' }, 'client'],
  ])('%s: nothing goes there, the person is told', async (_what, params, wrong) => {
    const url = authorizationUrl(instance, client, params as unknown as Record<string, string>);
    const shown = locationOf(await createBrowser().get(url));
    expect(shown.origin + shown.pathname).toBe('http://login.test/error');
    expect(shown.searchParams.get('error')).toBe(`invalid_${wrong}`);
    expect(shown.searchParams.get('error_description')).toContain(wrong);
  });

  test('registered defaults hold where a request says nothing', async () => {
    const strict = await registerClient(instance, 'strict', { default_max_age: 60, default_acr_values: ['urn:two'] });
    const { oidc_context, request_url } = await askLogin(instance, strict);
    expect(oidc_context).toEqual({ acr_values: ['urn:two'] });
    expect(new URL(String(request_url)).searchParams.get('max_age')).toBe('60');
  });

  describe('in a browser of another origin', () => {
    const call = async (path: string, origin: string, init: RequestInit = {}) => {
      const response = await fetch(`${instance.issuer}${path}`, { ...init, headers: { ...init.headers, origin } });
      return { response, allowed: response.headers.get('access-control-allow-origin') };
    };
    const credentials = () => ({
      method: 'POST',
      headers: basicOf(client),
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });

    test('any origin may read the metadata and the keys', async () => {
      for (const path of ['/.well-known/openid-configuration', '/.well-known/jwks.json']) {
        const { response, allowed } = await call(path, 'https://anywhere.test');
        expect([response.status, allowed]).toEqual([200, 'https://anywhere.test']);
        expect(response.headers.has('access-control-allow-credentials')).toBe(false);
      }
    });

    test('tokens are for the origins the client has registered', async () => {
      const { response, allowed } = await call('/oauth2/token', 'https://spa.test', credentials());
      expect([response.status, allowed]).toEqual([200, 'https://spa.test']);
      expect(response.headers.get('vary')).toContain('Origin');
    });

    test('another origin gets none, and may not read the answer', async () => {
      const { response, allowed } = await call('/oauth2/token', 'https://evil.test', credentials());
      expect([response.status, allowed]).toEqual([400, null]);
      expect(await response.json()).not.toHaveProperty('access_token');
    });

    test('a public client without registered origins gets its tokens from any, and no cookie is asked for', async () => {
      const open = await registerClient(instance, 'open-spa', { token_endpoint_auth_method: 'none' });
      const [first, second] = await Promise.all([authorize(instance, open), authorize(instance, open)]);
      const redeemFrom = (end: URL, client_id = open.id) => {
        const body = new URLSearchParams({ client_id, ...redemptionOf(codeIn(end)) });
        return call('/oauth2/token', 'https://inspector.test', { method: 'POST', body });
      };
      const { response, allowed } = await redeemFrom(first);
      expect([response.status, allowed]).toEqual([200, 'https://inspector.test']);
      expect(response.headers.has('access-control-allow-credentials')).toBe(false);
      const { access_token: accessToken } = (await response.json()) as Json;
      const headers = bearerOf(accessToken);
      expect((await call('/userinfo', 'https://inspector.test', { headers })).allowed).toBe('https://inspector.test');
      const refused = await redeemFrom(second, 'unknown');
      expect([refused.response.status, refused.allowed]).toEqual([401, 'https://inspector.test']);
    });

    test('a public client with registered origins is limited to these, a confidential one without any has none', async () => {
      const limited = { token_endpoint_auth_method: 'none', allowed_cors_origins: ['https://spa.test'] };
      await registerClient(instance, 'limited-spa', limited);
      await registerClient(instance, 'server', { token_endpoint_auth_method: 'client_secret_post' });
      const form = { grant_type: 'refresh_token', refresh_token: 'x' };
      const ask = (origin: string, more: Readonly<Record<string, string>>) =>
        call('/oauth2/token', origin, { method: 'POST', body: new URLSearchParams({ ...form, ...more }) });
      expect((await ask('https://spa.test', { client_id: 'limited-spa' })).allowed).toBe('https://spa.test');
      expect((await ask('https://evil.test', { client_id: 'limited-spa' })).allowed).toBeNull();
      const secret = 'secret of server, long enough';
      expect((await ask('https://spa.test', { client_id: 'server', client_secret: secret })).allowed).toBeNull();
    });

    test('userinfo is for the origins of the client the token was issued to', async () => {
      const headers = bearerOf((await login(instance, client)).access_token);
      expect((await call('/userinfo', 'https://spa.test', { headers })).allowed).toBe('https://spa.test');
      expect((await call('/userinfo', 'https://evil.test', { headers })).allowed).toBeNull();
    });

    test('a preflight is answered', async () => {
      const { response, allowed } = await call('/oauth2/token', 'https://spa.test', {
        method: 'OPTIONS',
        headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
      });
      expect([response.status, allowed]).toEqual([204, 'https://spa.test']);
      expect(response.headers.get('access-control-allow-methods')).toBe('POST');
    });

    test('the authorization endpoint is for navigation and answers no script', async () => {
      expect((await call('/oauth2/auth', 'https://spa.test', { redirect: 'manual' })).allowed).toBeNull();
    });
  });
});
