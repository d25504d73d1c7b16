import { openMemoryAdapter } from '@carnet/adapter-memory';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { decodeJwt, importJWK, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { type Browser, createBrowser, locationOf } from '../browser.ts';
import { discovery } from '../call.ts';
import { registerClient } from '../clients.ts';
import { consentPage, loginPage, testKeys } from '../harness.ts';
import { askLogin, headless, type Json, login } from '../login.ts';
import { acceptLogout, logoutPage, logoutUrl, signOut } from '../sign-out.ts';
import { browserAt } from '../stores/provider-process.ts';

const goodbye = 'https://app.test/goodbye?lang=en';
const remember = { remember: true, remember_for: 3_600 };
const errorPage = 'https://login.test/error';
const urls = { login: loginPage, consent: consentPage, error: errorPage };

describe('OpenID Connect RP-Initiated Logout 1.0', () => {
  const instance = startBeforeTests({ config: { urls: { ...urls, logout: logoutPage } } });
  const app = registerBeforeTests(instance, 'app', { post_logout_redirect_uris: [goodbye] });
  const other = beforeTests(() =>
    registerClient(instance, 'other', { post_logout_redirect_uris: ['https://other.test/'] }),
  );

  const loggedIn = async (subject = 'alice'): Promise<{ browser: Browser; hint: string }> => {
    const browser = createBrowser();
    const { id_token } = await login(instance, app, { browser, subject, login: remember });
    return { browser, hint: String(id_token) };
  };
  const isLoggedIn = async (browser: Browser): Promise<boolean> =>
    (await askLogin(instance, app, { browser })).skip === true;
  const ask = (browser: Browser, params: Record<string, string>) => browser.get(logoutUrl(instance, params));
  const questionOf = async (asked: Response): Promise<Json> => {
    expect(locationOf(asked).href.startsWith(`${logoutPage}?logout_challenge=`)).toBe(true);
    const challenge = locationOf(asked).searchParams.get('logout_challenge');
    return (await headless(instance, 'GET', `logout?logout_challenge=${challenge}`)).body;
  };
  /** An ID token of ours, with other claims. */
  const reissued = async (hint: string, claims: Json): Promise<string> => {
    const jwk = testKeys.keys.find(({ kty }) => kty === 'EC') as { kid: string };
    const header = JSON.parse(Buffer.from(hint.split('.')[0] ?? '', 'base64url').toString());
    const all = { ...decodeJwt(hint), ...claims };
    return new SignJWT(all).setProtectedHeader(header).sign(await importJWK(jwk as never, 'ES256'));
  };
  const expectRefused = async (response: Response): Promise<void> => {
    const { origin, pathname, searchParams } = locationOf(response);
    expect([response.status, origin + pathname]).toEqual([302, errorPage]);
    expect(searchParams.get('request_id')).toBe(response.headers.get('x-request-id'));
    expect(searchParams.get('error')).toBe('invalid_request');
  };

  test('2 a request by GET is understood', async () => {
    const { browser, hint } = await loggedIn();
    expect((await questionOf(await ask(browser, { id_token_hint: hint }))).rp_initiated).toBe(true);
  });

  test('2 a request by POST is understood, from another site too', async () => {
    const { browser, hint } = await loggedIn();
    const body = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: goodbye, state: 's' });
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const post = (headers: Record<string, string> = {}) =>
      fetch(logoutUrl(instance).replace(/\?$/, ''), { method: 'POST', body, redirect: 'manual', headers });
    const own = await post({ cookie });
    expect(await questionOf(own)).toMatchObject({ subject: 'alice', rp_initiated: true });
    const foreign = await post();
    expect((await questionOf(await browser.get(locationOf(foreign).href))).subject).toBe('alice');
  });

  test('2 an ID token counts when it has expired', async () => {
    const { browser, hint } = await loggedIn();
    const expired = await reissued(hint, { iat: 1_600_000_000, exp: 1_600_003_600 });
    expect((await questionOf(await ask(browser, { id_token_hint: expired }))).rp_initiated).toBe(true);
  });

  test.each([
    ['of another issuer', (hint: string) => reissued(hint, { iss: 'https://else.test' })],
    ['with a signature of nobody', async (hint: string) => `${hint.slice(0, -8)}AAAAAAAA`],
    ['that is none', async () => 'not-a-token'],
  ])('2 an ID token %s is refused, and nothing ends', async (_what, forge) => {
    const { browser, hint } = await loggedIn();
    await expectRefused(await ask(browser, { id_token_hint: await forge(hint), post_logout_redirect_uri: goodbye }));
    expect(await isLoggedIn(browser)).toBe(true);
  });

  test('2 client_id has to be the one that the ID token was issued to', async () => {
    const { browser, hint } = await loggedIn();
    await expectRefused(await ask(browser, { id_token_hint: hint, client_id: other.id }));
    expect((await questionOf(await ask(browser, { id_token_hint: hint, client_id: app.id }))).rp_initiated).toBe(true);
  });

  test('2 without an ID token the person is asked, whatever the client would have', async () => {
    const { browser } = await loggedIn();
    const question = await questionOf(await ask(browser, { client_id: app.id, post_logout_redirect_uri: goodbye }));
    expect(question).toMatchObject({ rp_initiated: false, client: { skip_logout_consent: false } });
  });

  test.each([
    ['another session of the same person', 'alice'],
    ['a session of another person', 'bob'],
  ])('2 with an ID token of %s the person is asked, and logged out on saying yes', async (_what, subject) => {
    const [{ browser }, { hint }] = [await loggedIn(), await loggedIn(subject)];
    const asked = await ask(browser, { id_token_hint: hint, post_logout_redirect_uri: goodbye });
    expect(await questionOf(asked)).toMatchObject({ subject: 'alice', rp_initiated: false });
    expect(await isLoggedIn(browser)).toBe(true);
    const done = await browser.get(await acceptLogout(instance, asked));
    expect([locationOf(done).href, await isLoggedIn(browser)]).toEqual([goodbye, false]);
  });

  test('2 an ID token of the same login, from before the person confirmed it, is of this session', async () => {
    const { browser, hint } = await loggedIn();
    await login(instance, other, { browser, login: remember, params: { prompt: 'login' } });
    expect((await questionOf(await ask(browser, { id_token_hint: hint }))).rp_initiated).toBe(true);
  });

  test('2 logout_hint, ui_locales and what is not known are no reason to refuse', async () => {
    const { browser, hint } = await loggedIn();
    const params = { id_token_hint: hint, logout_hint: 'alice', ui_locales: 'de', unknown: 'x' };
    expect((await questionOf(await ask(browser, params))).rp_initiated).toBe(true);
  });

  test('2 state alone is ignored: the user is asked, and logged out without a redirect', async () => {
    const { browser } = await loggedIn();
    const asked = await ask(browser, { state: 'x' });
    expect(await questionOf(asked)).toMatchObject({ subject: 'alice', rp_initiated: false });
    const done = await browser.get(await acceptLogout(instance, asked));
    expect([done.status, await isLoggedIn(browser)]).toEqual([200, false]);
  });

  test('2 urls.error gets the error', async () => {
    const refused = await ask(createBrowser(), { post_logout_redirect_uri: goodbye });
    expect(Object.fromEntries(locationOf(refused).searchParams)).toEqual({
      error: 'invalid_request',
      error_description: 'post_logout_redirect_uri needs an id_token_hint or a client_id.',
      request_id: refused.headers.get('x-request-id'),
    });
  });

  test('2.1 the metadata names the endpoint', async () => {
    const endpoint = `${instance.issuer}/oauth2/sessions/logout`;
    expect(await discovery(instance)).toMatchObject({ end_session_endpoint: endpoint });
  });

  test('3 afterwards the browser goes to the registered URI, with state', async () => {
    const { browser, hint } = await loggedIn();
    const params = { id_token_hint: hint, post_logout_redirect_uri: goodbye };
    const done = await signOut(instance, browser, { ...params, state: 'a b&c=d' });
    const { searchParams } = locationOf(done);
    expect([searchParams.get('lang'), searchParams.get('state')]).toEqual(['en', 'a b&c=d']);
    expect(await isLoggedIn(browser)).toBe(false);
    const again = await loggedIn();
    const without = await signOut(instance, again.browser, { ...params, id_token_hint: again.hint });
    expect(locationOf(without).href).toBe(goodbye);
  });

  test.each([
    'https://app.test/goodbye',
    'https://app.test/goodbye?lang=EN',
    'https://app.test/goodbye?lang=en&more=1',
    'https://APP.test/goodbye?lang=en',
    'https://other.test/',
    'javascript:alert(1)',
  ])('3 it never goes to %s, which is not exactly the registered one', async (uri) => {
    const { browser, hint } = await loggedIn();
    await expectRefused(await ask(browser, { id_token_hint: hint, post_logout_redirect_uri: uri }));
    await expectRefused(await ask(createBrowser(), { id_token_hint: hint, post_logout_redirect_uri: uri }));
    await expectRefused(await ask(browser, { client_id: app.id, post_logout_redirect_uri: uri }));
    expect(await isLoggedIn(browser)).toBe(true);
  });

  test('3 without an ID token or a client there is nowhere to go', async () => {
    const { browser } = await loggedIn();
    await expectRefused(await ask(browser, { post_logout_redirect_uri: goodbye }));
    const done = await signOut(instance, browser);
    expect([done.status, done.headers.get('location')]).toEqual([200, null]);
  });

  test('4 a request that can not be understood ends nothing and leads to the error page', async () => {
    const { browser, hint } = await loggedIn();
    for (const params of [{ client_id: 'nobody' }, { id_token_hint: `${hint}.` }])
      await expectRefused(await ask(browser, params as unknown as Record<string, string>));
    await expectRefused(await browser.get(`${logoutUrl(instance, { id_token_hint: hint })}&id_token_hint=${hint}`));
    expect(await isLoggedIn(browser)).toBe(true);
  });

  test('6 a logout that another site has begun ends nothing until the person has said yes', async () => {
    const { browser } = await loggedIn();
    const mine = await loggedIn();
    const accepted = await acceptLogout(instance, await ask(mine.browser, { id_token_hint: mine.hint }));
    await browser.get(accepted);
    expect([await isLoggedIn(browser), await isLoggedIn(mine.browser)]).toEqual([true, true]);
  });

  describe('a provider without a logout page', () => {
    const address = 'https://id.test';
    const memory = openMemoryAdapter();
    const plain = startBeforeTests({
      // Dev mode makes a logout page up; elsewhere a store has to last, and the issuer is https.
      adapter: { ...memory, capabilities: { ...memory.capabilities, durable: true, neverRevives: true } },
      config: {
        dev: false,
        issuer: address,
        http: { allowedHosts: ['127.0.0.1:*'] },
        urls: { ...urls, error: undefined },
      },
    });
    registerBeforeTests(plain, 'app', { post_logout_redirect_uris: [goodbye] });

    const loggedInThere = async () => {
      const browser = browserAt(plain.issuer, new Map(), address);
      const { id_token } = await login(plain, app, { browser, login: remember });
      return { browser, hint: String(id_token) };
    };
    const hasSession = (browser: Browser) => browser.cookies.has('__Host-carnet_session');

    test('2 an ID token of this session stands in for the person’s word', async () => {
      const { browser, hint } = await loggedInThere();
      expect(hasSession(browser)).toBe(true);
      const params = { id_token_hint: hint, post_logout_redirect_uri: goodbye };
      expect(locationOf(await browser.get(logoutUrl(plain, params))).href).toBe(goodbye);
      expect(hasSession(browser)).toBe(false);
    });

    test('2 an ID token of another session does not: nobody can be asked, so nobody is logged out', async () => {
      const [{ browser }, { hint }] = [await loggedInThere(), await loggedInThere()];
      const params = { id_token_hint: hint, post_logout_redirect_uri: goodbye };
      expect(locationOf(await browser.get(logoutUrl(plain, params))).href).toBe(goodbye);
      expect(hasSession(browser)).toBe(true);
    });

    test('2 without urls.error a refused request is shown a page that speaks of signing out', async () => {
      const refused = await (await loggedInThere()).browser.get(logoutUrl(plain));
      expect([refused.status, refused.headers.get('location')]).toEqual([400, null]);
      expect(await refused.text()).toContain('<title>The sign-out cannot continue</title>');
    });
  });
});
