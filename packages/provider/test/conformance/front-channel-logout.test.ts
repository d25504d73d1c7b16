import { runInNewContext } from 'node:vm';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests, startInTest } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { adminClients, discovery, sendJson } from '../call.ts';
import { registerClient, type TestClient } from '../clients.ts';
import { consentPage, loginPage } from '../harness.ts';
import { login } from '../login.ts';
import { logoutPage, signOut } from '../sign-out.ts';

const goodbye = 'https://plain.test/goodbye?a=1&b=2';
const remember = { remember: true, remember_for: 3_600 };

const framesIn = (html: string): string[] =>
  [...html.matchAll(/<iframe src="([^"]*)"/g)].map(([, src = '']) => src.replaceAll('&amp;', '&')).toSorted();

describe('OpenID Connect Front-Channel Logout 1.0', () => {
  const instance = startBeforeTests({
    config: {
      urls: { login: loginPage, consent: consentPage, logout: logoutPage },
      logout: { frontchannelSeconds: 3 },
    },
  });
  const plain = beforeTests(() =>
    registerClient(instance, 'plain', {
      frontchannel_logout_uri: 'https://plain.test/logout?x=%20y',
      post_logout_redirect_uris: [goodbye],
    }),
  );
  const strict = beforeTests(() =>
    registerClient(instance, 'strict', {
      frontchannel_logout_uri: 'https://strict.test:8443/logout?x=%20y&z',
      frontchannel_logout_session_required: true,
    }),
  );
  const silent = registerBeforeTests(instance, 'silent', { post_logout_redirect_uris: [goodbye] });

  const signedOut = async (clients: readonly TestClient[], params: Record<string, string> = {}) => {
    const browser = createBrowser();
    const tokens = [];
    for (const client of clients) tokens.push(await login(instance, client, { browser, login: remember }));
    const response = await signOut(instance, browser, { id_token_hint: String(tokens[0]?.id_token), ...params });
    return { browser, response, html: await response.text(), sid: String(decodeJwt(String(tokens[0]?.id_token)).sid) };
  };
  const directives = (response: Response) =>
    new Map(
      (response.headers.get('content-security-policy') ?? '').split('; ').map((one) => {
        const [name = '', ...values] = one.split(' ');
        return [name, values.join(' ')];
      }),
    );

  test('2 the registered URI has no fragment', async () => {
    const metadata = { frontchannel_logout_uri: 'https://app.test/logout#now' };
    expect((await adminClients(instance, 'POST', '', metadata)).status).toBe(400);
  });

  test('2 the URI of a client that registers itself has the scheme, host and port of a redirect URI', async () => {
    const open = await startInTest({ config: { oidc: { dynamicClientRegistration: { enabled: true } } } });
    const redirect_uris = ['https://app.test:8443/cb', 'app:/cb'];
    const register = async (frontchannel_logout_uri: string) => {
      const metadata = { redirect_uris, frontchannel_logout_uri };
      const { status, body } = await sendJson('POST', `${open.issuer}/oauth2/register`, metadata);
      return [status, body.error];
    };
    for (const foreign of ['https://app.test/out', 'http://app.test:8443/out', 'https://x.app.test:8443/', open.issuer])
      expect(await register(foreign)).toEqual([400, 'invalid_client_metadata']);
    expect(await register('https://APP.test:8443/out?a=1')).toEqual([201, undefined]);
  });

  test('2 every client of the session is loaded in a frame, and nobody else', async () => {
    const { html, browser } = await signedOut([plain, strict, silent]);
    expect(framesIn(html).map((src) => new URL(src).host)).toEqual(['plain.test', 'strict.test:8443']);
    expect(browser.cookies.has('carnet_session')).toBe(false);
  });

  test('2 the query that is registered stays; iss and sid come together, required or not', async () => {
    const { html, sid } = await signedOut([plain, strict]);
    const added = new URLSearchParams({ iss: instance.issuer, sid });
    expect(framesIn(html)).toEqual([
      `https://plain.test/logout?x=%20y&${added}`,
      `https://strict.test:8443/logout?x=%20y&z&${added}`,
    ]);
  });

  test('2 a client that knows the session by an earlier sid is told that one', async () => {
    const browser = createBrowser();
    const first = await login(instance, strict, { browser, login: remember });
    await login(instance, silent, { browser, login: remember, params: { prompt: 'login' } });
    const html = await (await signOut(instance, browser)).text();
    expect(new URL(framesIn(html)[0] ?? '').searchParams.get('sid')).toBe(decodeJwt(String(first.id_token)).sid);
  });

  test('3 the metadata says that it is done, with sid', async () => {
    expect(await discovery(instance)).toMatchObject({
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
    });
  });

  test('3 then the browser goes on by itself, without scripts too, or by hand', async () => {
    const { html } = await signedOut([plain], { post_logout_redirect_uri: goodbye, state: '"><script>' });
    const target = 'https://plain.test/goodbye?a=1&amp;b=2&amp;state=%22%3E%3Cscript%3E';
    expect(html).toContain(`<noscript><meta http-equiv="refresh" content="3; url=${target}"></noscript>`);
    expect(html.match(/http-equiv="refresh"/g)).toHaveLength(1);
    expect(html).toContain(`<a href="${target}"`);
    expect(html.match(/<script[ >]/g)).toHaveLength(1);
  });

  test.each([
    ['when its frames have loaded', ['load', 'timeout']],
    ['after logout.frontchannelSeconds, when a frame does not load', ['timeout', 'load']],
  ])('3 the page leaves once, %s', async (_when, order) => {
    const { html } = await signedOut([plain], { post_logout_redirect_uri: goodbye });
    const [, seconds, script = ''] = /<script data-seconds="(\d+)">(.*?)<\/script>/.exec(html) ?? [];
    const visited: string[] = [];
    const events: Record<string, () => void> = {};
    let delay = 0;
    runInNewContext(script, {
      document: { currentScript: { dataset: { seconds } }, querySelector: () => ({ href: goodbye }) },
      location: { replace: (href: string) => visited.push(href) },
      addEventListener: (name: string, listener: () => void) => (events[name] = listener),
      setTimeout: (listener: () => void, ms: number) => {
        events.timeout = listener;
        delay = ms;
      },
    });
    expect([visited, delay]).toEqual([[], 3_000]);
    for (const name of order) events[name]?.();
    expect(visited).toEqual([goodbye]);
  });

  test('3 where there is nowhere to go, the page stays', async () => {
    const { html, response } = await signedOut([plain]);
    expect(response.status).toBe(200);
    expect(html).not.toMatch(/http-equiv="refresh"|<script/);
    expect(directives(response).has('script-src')).toBe(false);
  });

  test('3 without a client that asks for it there is no page in between', async () => {
    const { response } = await signedOut([silent], { post_logout_redirect_uri: goodbye });
    expect([response.status, locationOf(response).href]).toEqual([302, goodbye]);
  });

  test('4 the page may load the pages of these clients and nothing else, and can not be framed itself', async () => {
    const { response, html } = await signedOut([plain, strict], { post_logout_redirect_uri: goodbye });
    const allowed = directives(response);
    expect(allowed.get('default-src')).toBe("'none'");
    expect(allowed.get('frame-src')?.split(' ').toSorted()).toEqual(['https://plain.test', 'https://strict.test:8443']);
    expect(allowed.get('frame-ancestors')).toBe("'none'");
    expect(allowed.get('script-src')).toMatch(/^'sha256-[^ ]+'$/);
    expect(html.match(/sandbox="allow-scripts allow-same-origin"/g)).toHaveLength(2);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});
