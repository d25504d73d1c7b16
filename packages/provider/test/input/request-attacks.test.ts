import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests, startInTest } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { call, userinfo } from '../call.ts';
import { registerClient, type TestClient } from '../clients.ts';
import { faultyAdapter } from '../faulty-adapter.ts';
import { consentPage, type Instance, loginPage, type StartOptions } from '../harness.ts';
import { askLogin, authorizationUrl, challengeIn, headless, type Json, login, redeem } from '../login.ts';
import { logoutPage, logoutUrl as logoutUrlAt } from '../sign-out.ts';
import { codeAt, walk } from '../walk.ts';

const urls = { login: loginPage, consent: consentPage, logout: logoutPage, error: 'http://login.test/error' };
const afterLogout = 'https://app.test/goodbye';
const metadata = { skip_logout_consent: true, post_logout_redirect_uris: [afterLogout] };

const openInTest = async (options: StartOptions = {}): Promise<{ instance: Instance; client: TestClient }> => {
  const instance = await startInTest({ ...options, config: { urls } });
  return { instance, client: await registerClient(instance, 'app', metadata) };
};
const post = (url: string, form: URLSearchParams, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, { method: 'POST', redirect: 'manual', body: form, headers });
const cookieOf = (cookies: ReadonlyMap<string, string>) => [...cookies].map((pair) => pair.join('=')).join('; ');

describe('a request', () => {
  const instance = startBeforeTests({ config: { urls } });
  const client = registerBeforeTests(instance, 'app', metadata);

  const remembered = async () => {
    const browser = createBrowser();
    const tokens = await login(instance, client, { browser, login: { remember: true } });
    return { browser, cookie: cookieOf(browser.cookies), hint: String(tokens.id_token) };
  };
  const logoutUrl = (params: Readonly<Record<string, string>> = {}) => logoutUrlAt(instance, params);

  describe('to log out', () => {
    const askedAt = async (page: URL): Promise<Json> => {
      const challenge = page.searchParams.get('logout_challenge');
      return (await headless(instance, 'GET', `logout?logout_challenge=${challenge}`)).body;
    };

    test('can’t skip the question by naming a client that may', async () => {
      const { browser, hint } = await remembered();
      const named = await askedAt(locationOf(await browser.get(logoutUrl({ client_id: client.id }))));
      expect(named).toMatchObject({ rp_initiated: false, client: { client_id: 'app', skip_logout_consent: false } });
      const proved = await askedAt(locationOf(await browser.get(logoutUrl({ id_token_hint: hint }))));
      expect(proved).toMatchObject({ rp_initiated: true, client: { client_id: 'app', skip_logout_consent: true } });
    });

    test('can’t seem done while it is not, when it is posted from another site without the cookie', async () => {
      const { browser, hint } = await remembered();
      const form = { id_token_hint: hint, post_logout_redirect_uri: afterLogout, state: 'a b&c' };
      const answer = await post(logoutUrl().replace('?', ''), new URLSearchParams(form));
      expect(answer.status).toBe(303);
      const again = locationOf(answer);
      expect(again.origin + again.pathname).toBe(`${instance.issuer}/oauth2/sessions/logout`);
      expect(Object.fromEntries(again.searchParams)).toEqual(form);
      expect(await askedAt(locationOf(await browser.get(again.href)))).toMatchObject({ subject: 'alice' });
    });

    test.each(['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'logout_verifier'])(
      'can’t say %s twice, once for each who reads it',
      async (name) => {
        const { browser, cookie, hint } = await remembered();
        const usual = { id_token_hint: hint, client_id: client.id, post_logout_redirect_uri: afterLogout, state: 'x' };
        const twice = new URLSearchParams(usual);
        while (twice.getAll(name).length < 2) twice.append(name, 'other');
        const answers = [await browser.get(logoutUrl() + twice), await post(logoutUrl(), twice, { cookie })];
        for (const answer of answers) {
          const { pathname, searchParams } = locationOf(answer);
          expect([pathname, searchParams.get('error')]).toEqual(['/error', 'invalid_request']);
        }
      },
    );
  });

  describe('by HEAD, as a preview of a link makes it,', () => {
    const head = (url: string, cookies: ReadonlyMap<string, string>) =>
      fetch(url, { method: 'HEAD', redirect: 'manual', headers: { cookie: cookieOf(cookies) } });

    test('can’t begin or finish an authorization', async () => {
      const flow = await walk(instance, client);
      for (const url of [authorizationUrl(instance, client), flow.loginUrl, flow.consentUrl]) {
        const answer = await head(url, flow.cookies);
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST']);
        expect(answer.headers.get('location')).toBeNull();
      }
      const code = await codeAt(flow.browser, flow.consentUrl);
      expect((await redeem(instance, client, code)).status).toBe(200);
    });

    test('can’t log anybody out', async () => {
      const { browser } = await remembered();
      const challenge = locationOf(await browser.get(logoutUrl())).searchParams.get('logout_challenge');
      const { body } = await headless(instance, 'PUT', `logout/accept?logout_challenge=${challenge}`);
      for (const url of [logoutUrl(), String(body.redirect_to)]) {
        const answer = await head(url, browser.cookies);
        expect([answer.status, answer.headers.getSetCookie()]).toEqual([405, []]);
      }
      expect((await askLogin(instance, client, { browser })).skip).toBe(true);
    });
  });

  test('that is posted can’t have its scope from the query', async () => {
    const form = new URL(authorizationUrl(instance, client, { scope: 'openid' })).searchParams;
    const answer = await post(`${instance.issuer}/oauth2/auth?scope=openid%20email`, form);
    const challenge = challengeIn(answer, 'login');
    const { body } = await headless(instance, 'GET', `login?login_challenge=${challenge}`);
    expect(body.requested_scope).toEqual(['openid']);
  });

  describe('of a login or consent app', () => {
    const spoken = { acr: 'gold', amr: ['hwk'], auth_time: 1, cnf: { jkt: 'x' }, s_hash: 'x', events: { 'urn:x': {} } };

    test.each([
      ['of a login that says how it was made', { acr: 'bronze', amr: ['pwd'] }],
      ['of a login that does not', {}],
    ])('can’t say by extra claims how, when or with which key a person %s logged in', async (_what, how) => {
      const consent = { session: { id_token: { ...spoken, role: 'reader' } } };
      const tokens = await login(instance, client, { login: how, consent });
      const { acr, amr, auth_time, cnf, s_hash, events, ...claims } = decodeJwt(String(tokens.id_token));
      expect({ acr, amr, cnf, s_hash, events }).toEqual(how);
      expect(auth_time).not.toBe(1);
      expect(claims).toMatchObject({ sub: 'alice', role: 'reader' });
      expect((await userinfo(instance, tokens.access_token)).body).toEqual({ sub: 'alice', role: 'reader' });
    });
  });
});

describe('strangers', () => {
  const askWith = async ({ instance, client }: Awaited<ReturnType<typeof openInTest>>, length: number) => {
    const url = authorizationUrl(instance, client, { login_hint: 'x'.repeat(length) });
    const { status, headers, body } = await call(url);
    return { status, headers, text: JSON.stringify(body) };
  };

  test('can’t fill the store with large authorization requests', async () => {
    let now = Date.now();
    const target = await openInTest({ now: () => now });
    const { calls } = target.instance;
    calls.reset();
    const askOften = async (count: number, length: number) => {
      const answers = [];
      for (let i = 0; i < count; i++) answers.push((await askWith(target, length)).status);
      return answers;
    };

    expect(await askOften(60, 1_400)).toEqual(Array(60).fill(302));
    expect(calls.commits).toHaveLength(0);

    expect(await askOften(60, 4_000)).toEqual([...Array(50).fill(302), ...Array(10).fill(503)]);
    expect(calls.commits).toHaveLength(50);

    now += 1_000;
    expect(await askOften(4, 4_000)).toEqual([302, 302, 503, 503]);
    expect(await askOften(1, 1_400)).toEqual([302]);
    expect(calls.commits).toHaveLength(52);
    const { headers, text } = await askWith(target, 4_000);
    expect(headers.get('retry-after')).toBe('1');
    expect(text).toContain('Too many large authorization requests');
  });

  test('can’t make a store that is down look like an error of the server', async () => {
    const { adapter, faults } = faultyAdapter();
    const target = await openInTest({ adapter });
    faults.down = true;
    const { status, text } = await askWith(target, 4_000);
    expect(status).toBe(503);
    expect(text).toContain('The store did not answer');
    expect((await askWith(target, 1_400)).status).toBe(302);
  });

  test('on one host as two issuers can’t take each other’s cookies away or for their own', async () => {
    const [one, two] = [await openInTest({ path: '/one' }), await openInTest({ path: '/two' })];
    const browser = createBrowser();
    await login(one.instance, one.client, { browser, login: { remember: true } });
    const names = [...browser.cookies.keys()];
    await login(two.instance, two.client, { browser, subject: 'bob', login: { remember: true } });
    expect([...browser.cookies.keys()]).toEqual(expect.arrayContaining(names));
    for (const [{ instance, client }, subject] of [
      [one, 'alice'],
      [two, 'bob'],
    ] as const) {
      expect(await askLogin(instance, client, { browser })).toMatchObject({ skip: true, subject });
    }
  });
});
