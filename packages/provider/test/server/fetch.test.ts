import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests, startInTest } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { bearerOf } from '../call.ts';
import { registerClient } from '../clients.ts';
import type { Instance, StartOptions } from '../harness.ts';
import { authorizationUrl, begin, decideAll, type Json, login, redemptionOf } from '../login.ts';

type Send = typeof fetch;

const webRequest = (...[input, init]: Parameters<Send>): Request =>
  new Request(input, { ...(init?.body ? { duplex: 'half' } : {}), ...init } as RequestInit);

/** The same request by TCP to `callback()`, and without a connection to `fetch()`. */
const ways = ({ carnet }: Pick<Instance, 'carnet'>): Readonly<Record<'callback' | 'fetch', Send>> => ({
  callback: (input, init) => fetch(input, { ...init, redirect: 'manual' }),
  fetch: (input, init) => carnet.fetch(webRequest(input, init)),
});

const ofTheConnection = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);
const withoutSecrets = (text: string): string =>
  text.replaceAll(/[\w-]{16,}/g, '*').replaceAll(/("iat":|Max-Age=)\d{5,}/g, '$1*');

/** A response without what differs between two requests. */
const comparable = async (response: Response) => {
  const own = (text: string) => withoutSecrets(text.replaceAll(response.headers.get('x-request-id') ?? '*', '*'));
  return {
    status: response.status,
    headers: [...response.headers]
      .filter(([name]) => !ofTheConnection.has(name) && name !== 'x-request-id')
      .map(([name, value]) => `${name}: ${own(value)}`),
    body: own(await response.text()),
  };
};

const instance = startBeforeTests({ path: '/op', config: { http: { allowedHosts: ['other.test'] } } });
const client = registerBeforeTests(instance, 'of-fetch', { token_endpoint_auth_method: 'client_secret_post' });

const post = (form: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: 'POST',
  headers: { ...headers },
  body: new URLSearchParams(form),
});

/** A body without a known length. */
const streamed = (chunks: readonly string[]): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new Blob([...chunks]).stream(),
  ...{ duplex: 'half' },
});

const tokenForm = 'grant_type=client_credentials&client_id=of-fetch&client_secret=secret+of+of-fetch,+long+enough';
const preflight = {
  origin: 'https://spa.test',
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization',
};

describe('fetch() answers as callback() does', () => {
  test.each<[string, string, (RequestInit | (() => RequestInit))?]>([
    ['the metadata', '/op/.well-known/openid-configuration'],
    ['the metadata outside of the path of the issuer', '/.well-known/oauth-authorization-server/op'],
    ['HEAD', '/op/.well-known/openid-configuration', { method: 'HEAD' }],
    ['the keys', '/op/.well-known/jwks.json'],
    ['a CORS preflight', '/op/oauth2/token', { method: 'OPTIONS', headers: preflight }],
    [
      'a request of another origin',
      '/op/.well-known/openid-configuration',
      { headers: { origin: 'https://spa.test' } },
    ],
    ['a path that is not below the issuer', '/.well-known/openid-configuration'],
    ['an unknown path', '/op/nothing?a=b'],
    ['an unknown method', '/op/oauth2/token', { method: 'DELETE' }],
    ['an unknown client', '/op/oauth2/auth?client_id=nobody&response_type=code'],
    ['an error page', '/op/oauth2/auth?client_id=nobody', { headers: { accept: 'text/html' } }],
    ['an error that is redirected', `/op/oauth2/auth?client_id=of-fetch&response_type=code&prompt=none`],
    ['prompt=none', `/op/oauth2/auth?client_id=of-fetch&response_type=code&scope=openid&state=12345678&prompt=none`],
    ['a token request without a body', '/op/oauth2/token', { method: 'POST' }],
    ['a wrong client secret', '/op/oauth2/token', post({ grant_type: 'client_credentials', client_id: 'of-fetch' })],
    ['a body of the wrong type', '/op/oauth2/token', { method: 'POST', body: '{}' }],
    ['client credentials', '/op/oauth2/token', () => post(Object.fromEntries(new URLSearchParams(tokenForm)))],
    ['a body in parts', '/op/oauth2/token', () => streamed(tokenForm.split(/(?=&)/))],
    ['a body that is too large', '/op/oauth2/token', () => post({ grant_type: 'x'.repeat(60_000) })],
    ['a streamed body that is too large', '/op/oauth2/token', () => streamed(Array(100).fill('x'.repeat(1_000)))],
    ['userinfo without a token', '/op/userinfo'],
    ['revocation of an unknown token', '/op/oauth2/revoke', post({ token: 'x' })],
  ])('%s', async (_what, path, init) => {
    const { callback, fetch: web } = ways(instance);
    const url = new URL(instance.issuer).origin + path;
    const made = () => (typeof init === 'function' ? init() : init);
    const expected = await comparable(await callback(url, made()));
    expect(await comparable(await web(url, made()))).toEqual(expected);
  });

  /** A whole login, and all of its responses. */
  const journey = async (send: Send, params: Readonly<Record<string, string>>) => {
    const seen: Awaited<ReturnType<typeof comparable>>[] = [];
    const recorded: Send = async (input, init) => {
      const response = await send(input, init);
      seen.push(await comparable(response.clone()));
      return response;
    };
    const browser = createBrowser(new Map(), recorded);
    const challenge = await begin(browser, authorizationUrl(instance, client, params));
    const last = await browser.get(await decideAll(instance, browser, challenge, { login: { remember: true } }));
    const code = last.headers.has('location')
      ? locationOf(last).searchParams.get('code')
      : /name="code" value="([^"]+)"/.exec(await last.text())?.[1];
    const credentials = { client_id: client.id, client_secret: String(client.secret) };
    const redemption = { ...redemptionOf(String(code)), ...credentials };
    const redeemed = await recorded(`${instance.issuer}/oauth2/token`, post(redemption));
    const tokens = (await redeemed.json()) as Json;
    const headers = bearerOf(tokens.access_token);
    const userinfo = await recorded(`${instance.issuer}/userinfo`, { headers });
    const { active } = await instance.carnet.tokens.introspect(String(tokens.access_token));
    return { seen, cookies: [...browser.cookies.keys()], tokens, userinfo: await userinfo.json(), active };
  };

  test.each([['query'], ['form_post']])('a login with response_mode=%s', async (mode) => {
    const { callback, fetch: web } = ways(instance);
    const expected = await journey(callback, { response_mode: mode });
    const actual = await journey(web, { response_mode: mode });
    expect(actual.seen).toEqual(expected.seen);
    expect(actual.cookies).toEqual(expected.cookies);
    expect(actual.seen.length).toBe(5);
    expect(actual).toMatchObject({ userinfo: { sub: 'alice' }, active: true });
    expect(Object.keys(actual.tokens).toSorted()).toContain('id_token');
  });
});

describe('fetch() and the host of a request', () => {
  const path = '/op/.well-known/openid-configuration';

  test.each([
    ['the issuer in the URL', () => new Request(new URL(path, instance.issuer)), 200],
    ['an allowed host in the URL', () => new Request(`https://other.test${path}`), 200],
    ['another host in the URL', () => new Request(`https://evil.test${path}`), 421],
    [
      'another host in the header, which wins',
      () => new Request(new URL(path, instance.issuer), { headers: { host: 'evil.test' } }),
      421,
    ],
    [
      'a proxy that changed the URL but not the header',
      () => new Request(`http://localhost:3000${path}`, { headers: { host: 'other.test' } }),
      200,
    ],
  ])('%s', async (_what, request, status) => {
    expect((await instance.carnet.fetch(request())).status).toBe(status);
  });
});

describe('fetch() and a request that ends early', () => {
  test('throws the reason of a request that is aborted before it', async () => {
    const request = new Request(`${instance.issuer}/userinfo`, { signal: AbortSignal.abort(new Error('closed')) });
    await expect(instance.carnet.fetch(request)).rejects.toThrow('closed');
  });

  const posted = (source: UnderlyingDefaultSource, signal?: AbortSignal): Request =>
    webRequest(`${instance.issuer}/oauth2/token`, { ...streamed([]), body: new ReadableStream(source), signal });

  test('throws the reason of a request that is aborted while its body is sent, and cancels the body', async () => {
    const controller = new AbortController();
    let isCancelled = false;
    const pull = () => {
      setImmediate(() => controller.abort(new Error('closed')));
      return new Promise<void>(() => {});
    };
    const cancel = () => {
      isCancelled = true;
    };
    const answer = instance.carnet.fetch(posted({ pull, cancel }, controller.signal));
    await expect(answer).rejects.toThrow('closed');
    expect(isCancelled).toBe(true);
  });

  test('throws the error of a body that breaks off', async () => {
    const pull: UnderlyingDefaultSource['pull'] = (stream) => stream.error(new Error('the body broke off'));
    await expect(instance.carnet.fetch(posted({ pull }))).rejects.toThrow('the body broke off');
  });

  test('refuses a request whose body was read', async () => {
    const request = webRequest(`${instance.issuer}/oauth2/token`, { method: 'POST', body: tokenForm });
    await request.text();
    await expect(instance.carnet.fetch(request)).rejects.toThrow('Pass the request unread');
  });
});

describe('fetch() and what a Web Request does not have', () => {
  const opened = async (config: StartOptions['config'], work: (it: Instance) => Promise<void>): Promise<void> =>
    work(await startInTest({ config }));
  const metadata = ({ issuer }: Instance) => new Request(`${issuer}/.well-known/openid-configuration`);

  test('refuses a configuration with TLS client certificates', () =>
    opened({ features: { mtls: { enabled: true } } }, async (it) => {
      await expect(it.carnet.fetch(metadata(it), { address: '127.0.0.1' })).rejects.toMatchObject({
        code: 'server_error',
        message: expect.stringMatching(/features\.mtls.*http\.clientCertificateHeader.*carnet\.callback\(\)/),
      });
    }));

  test('refuses trusted proxies without the address of the connection, and an address that is none', () =>
    opened({ http: { trustedProxies: ['10.0.0.0/8'] } }, async (it) => {
      await expect(it.carnet.fetch(metadata(it))).rejects.toThrow('carnet.fetch(request, { address })');
      await expect(it.carnet.fetch(metadata(it), { address: '10.0.0.1:80' })).rejects.toThrow('without a port');
      expect((await it.carnet.fetch(metadata(it), { address: '10.0.0.1' })).status).toBe(200);
    }));

  test.each([
    ['10.0.0.1', '203.0.113.9'],
    ['192.0.2.1', '192.0.2.1'],
  ])('the session of a login over %s has the address %s', (address, expected) =>
    opened({ http: { trustedProxies: ['10.0.0.0/8'] } }, async (it) => {
      const known = await registerClient(it, 'placed');
      const send: Send = (input, init) => {
        const request = webRequest(input, init);
        request.headers.set('x-forwarded-for', '203.0.113.9');
        return it.carnet.fetch(request, { address });
      };
      await login(it, known, { browser: createBrowser(new Map(), send), login: { remember: true } });
      const { items } = await it.carnet.sessions.list({ subject: 'alice' });
      expect(items.map(({ place }) => place.address)).toEqual([expected]);
    }),
  );
});
