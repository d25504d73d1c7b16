import { openMemoryAdapter } from '@carnet/adapter-memory';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { sessionIdOf } from '../../src/flow/flow-id.ts';
import { sessionKey } from '../../src/sessions/session-record.ts';
import { registerBeforeTests, startInTest } from '../before-tests.ts';
import { type Browser, createBrowser, locationOf } from '../browser.ts';
import { consentPage, loginPage, start } from '../harness.ts';
import {
  acceptConsent,
  acceptLogin,
  askLogin,
  authorizationUrl,
  begin,
  challengeIn,
  headless,
  redeem,
  refresh,
  reject,
} from '../login.ts';
import { signOut } from '../sign-out.ts';
import { browserWith, codeAt, pageOf, type Walk, walk } from '../walk.ts';

const remember = { login: { remember: true } };

/** Section B: whatever is played again, there is never a second code that redeems nor a session that comes back. */
describe('a verifier played again', () => {
  const instance = beforeTests(() =>
    start({
      now,
      adapter: openMemoryAdapter({ now }),
      config: { urls: { login: loginPage, consent: consentPage, logout: 'http://login.test/logout' } },
    }),
  );
  const client = registerBeforeTests(instance, 'app');
  let offset = 0;
  const now = () => Date.now() + offset * 1000;

  beforeEach(() => {
    offset = 0;
  });

  const logout = (browser: Browser) => signOut(instance, browser);
  const skips = async (browser: Browser) => (await askLogin(instance, client, { browser })).skip;
  const sessionOf = async ({ cookies }: Walk) => {
    const [name = ''] = cookies.keys();
    const [record] = await instance.adapter.read([sessionKey(sessionIdOf(name.slice(-22)))]);
    return record;
  };
  test('the consent verifier, ten times at once: of all the codes one redeems', async () => {
    const flow = await walk(instance, client);
    const replays = Array.from({ length: 10 }, () => codeAt(browserWith(flow.cookies), flow.consentUrl));
    const codes = new Set(await Promise.all(replays));
    const statuses: number[] = [];
    for (const code of codes) statuses.push((await redeem(instance, client, code)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  test('its codes redeemed at once: one at most gets tokens', async () => {
    const flow = await walk(instance, client);
    const codes = await Promise.all([1, 2, 3, 4, 5].map(() => codeAt(browserWith(flow.cookies), flow.consentUrl)));
    const answers = await Promise.all(codes.map((code) => redeem(instance, client, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body.error)).toEqual(Array(4).fill('invalid_grant'));
  });

  test('a second code that is tried takes back what the first has got, and opens nothing after that either', async () => {
    const flow = await walk(instance, client);
    const first = await redeem(instance, client, await codeAt(flow.browser, flow.consentUrl));
    const errors: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      const code = await codeAt(browserWith(flow.cookies), flow.consentUrl);
      errors.push((await redeem(instance, client, code)).body.error);
    }
    expect(errors).toEqual(Array(4).fill('invalid_grant'));
    expect((await refresh(instance, client, first.body.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('the login verifier, ten times at once: however often it is consented to, one code redeems', async () => {
    const flow = await walk(instance, client);
    const consents = Array.from({ length: 10 }, async () => {
      const toConsent = await browserWith(flow.cookies).get(flow.loginUrl);
      return acceptConsent(instance, challengeIn(toConsent, 'consent'));
    });
    const ends = new Set(await Promise.all(consents));
    expect(ends.size).toBe(10);
    const codes = await Promise.all([...ends].map((end) => codeAt(browserWith(flow.cookies), end)));
    const statuses: number[] = [];
    for (const code of codes) statuses.push((await redeem(instance, client, code)).status);
    expect(statuses).toEqual([200, ...Array(9).fill(400)]);
  });

  test('the login challenge, accepted for two people: one code redeems, and it is of one flow', async () => {
    const browser = createBrowser();
    const challenge = await begin(browser, authorizationUrl(instance, client));
    const toConsents = [
      await acceptLogin(instance, challenge, { subject: 'alice' }),
      await acceptLogin(instance, challenge, { subject: 'bob' }),
    ];
    const cookies = new Map(browser.cookies);
    const ends = await Promise.all(
      toConsents.map(async (url) => acceptConsent(instance, challengeIn(await browser.get(url), 'consent'))),
    );
    const redeemAt = async (end = '') => redeem(instance, client, await codeAt(browserWith(cookies), end));
    const [first, second] = [await redeemAt(ends[0]), await redeemAt(ends[1])];
    expect([first.status, second.body.error]).toEqual([200, 'invalid_grant']);
    expect((await refresh(instance, client, first.body.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('a challenge of a flow that has ended is asked for no more: 410', async () => {
    const flow = await walk(instance, client);
    await codeAt(flow.browser, flow.consentUrl);
    const login = `login/accept?login_challenge=${flow.loginChallenge}`;
    expect((await headless(instance, 'PUT', login, { subject: 'eve' })).status).toBe(410);
    const toConsent = await browserWith(flow.cookies).get(flow.loginUrl);
    const consent = `consent?consent_challenge=${challengeIn(toConsent, 'consent')}`;
    expect((await headless(instance, 'GET', consent)).status).toBe(410);
  });

  test('a second code cannot be redeemed even within the leeway granted to slow clocks', async () => {
    const config = { issuer: instance.issuer, http: { allowedHosts: ['127.0.0.1:*'] } };
    const other = await startInTest({ now, adapter: instance.adapter, config });
    const at = (url: string) => url.replace(instance.issuer, other.issuer);
    const flow = await walk(instance, client);
    const tokens = await redeem(instance, client, await codeAt(flow.browser, flow.consentUrl));
    expect(tokens.status).toBe(200);
    // By way of another process, which has not seen the flow end.
    const browser = browserWith(flow.cookies);
    offset = 1_800 + 20;
    const consent = challengeIn(await browser.get(at(flow.loginUrl)), 'consent');
    offset += 1_800 + 20;
    const code = await codeAt(browser, at(await acceptConsent(other, consent)));
    offset += 599;
    expect((await redeem(other, client, code)).body.error).toBe('invalid_grant');
  });

  test('a remembered login, ten times at once: no session is written again, and one code redeems', async () => {
    const flow = await walk(instance, client, remember);
    const written = await sessionOf(flow);
    instance.calls.reset();
    const browsers = Array.from({ length: 10 }, () => browserWith(flow.cookies));
    const codes = new Set(await Promise.all(browsers.map((browser) => codeAt(browser, flow.consentUrl))));
    expect([codes.size, instance.calls.trips(), await sessionOf(flow)]).toEqual([10, 0, written]);
    for (const { cookies } of browsers) expect([...cookies.keys()]).toEqual([]);
    const statuses: number[] = [];
    for (const code of codes) statuses.push((await redeem(instance, client, code)).status);
    expect(statuses).toEqual([200, ...Array(9).fill(400)]);
  });

  test.each(['loginUrl', 'consentUrl'] as const)(
    'after logout, with all cookies of then: no session comes back, no code redeems (%s)',
    async (leg) => {
      const flow = await walk(instance, client, remember);
      const tokens = await redeem(instance, client, await codeAt(flow.browser, flow.consentUrl));
      expect(tokens.status).toBe(200);
      const cookies = new Map([...flow.cookies, ...flow.browser.cookies]);
      expect(await skips(browserWith(cookies))).toBe(true);
      await logout(flow.browser);
      expect((await sessionOf(flow))?.consumedAt).toBeInstanceOf(Date);

      const replaying = browserWith(cookies);
      if (leg === 'loginUrl') expect(locationOf(await replaying.get(flow.loginUrl)).pathname).toBe('/oauth2/auth');
      const code = await codeAt(replaying, flow.consentUrl);
      expect((await redeem(instance, client, code)).body.error).toBe('invalid_grant');
      for (const browser of [browserWith(cookies), replaying]) expect(await skips(browser)).toBe(false);
      expect((await sessionOf(flow))?.consumedAt).toBeInstanceOf(Date);
    },
  );

  test('an extension decided before logout and finished after it brings no session back', async () => {
    const first = await walk(instance, client, remember);
    await codeAt(first.browser, first.consentUrl);
    const login = { extend_session_lifespan: true, remember_for: 9_999 };
    const extension = await walk(instance, client, { browser: first.browser, login });
    const cookies = new Map([...first.browser.cookies, ...extension.cookies]);
    await logout(first.browser);
    await pageOf(await browserWith(cookies).get(extension.consentUrl));
    expect(await skips(browserWith(cookies))).toBe(false);
    expect((await sessionOf(first))?.consumedAt).toBeInstanceOf(Date);
  });

  test('after somebody else has logged in in that browser, with all cookies of then: the first session stays gone', async () => {
    const first = await walk(instance, client, remember);
    await codeAt(first.browser, first.consentUrl);
    const cookies = new Map([...first.cookies, ...first.browser.cookies]);
    const params = { prompt: 'login' };
    const second = await walk(instance, client, { browser: first.browser, subject: 'bob', params, ...remember });
    await codeAt(second.browser, second.consentUrl);
    expect(await skips(browserWith(cookies))).toBe(false);
    const code = await codeAt(browserWith(cookies), first.consentUrl);
    expect((await redeem(instance, client, code)).body.error).toBe('invalid_grant');
    expect(await skips(browserWith(cookies))).toBe(false);
    expect((await sessionOf(first))?.consumedAt).toBeInstanceOf(Date);
    expect(await skips(second.browser)).toBe(true);
  });

  test('a login skipped for a session, played again after that session’s logout, is no login', async () => {
    const first = await walk(instance, client, remember);
    await codeAt(first.browser, first.consentUrl);
    const flow = await walk(instance, client, { browser: first.browser });
    const cookies = new Map([...first.browser.cookies, ...flow.cookies]);
    await logout(browserWith(cookies));
    // From the login on: the request begins again. From the consent on: the code is worth nothing.
    expect(locationOf(await browserWith(cookies).get(flow.loginUrl)).pathname).toBe('/oauth2/auth');
    const code = await codeAt(browserWith(cookies), flow.consentUrl);
    expect((await redeem(instance, client, code)).body.error).toBe('invalid_grant');
    expect(await skips(browserWith(cookies))).toBe(false);
  });

  test('an extended session, its verifier played again after logout, stays ended', async () => {
    const first = await walk(instance, client, remember);
    await codeAt(first.browser, first.consentUrl);
    const flow = await walk(instance, client, {
      browser: first.browser,
      login: { extend_session_lifespan: true, remember_for: 9_999 },
    });
    const cookies = new Map([...first.browser.cookies, ...flow.cookies]);
    await codeAt(flow.browser, flow.consentUrl);
    const after = new Map([...cookies, ...flow.browser.cookies]);
    await logout(flow.browser);
    await pageOf(await browserWith(after).get(flow.consentUrl));
    expect(await skips(browserWith(after))).toBe(false);
    expect((await sessionOf(first))?.consumedAt).toBeInstanceOf(Date);
  });

  test('a rejection can’t be undone with older cookies: nothing of it is in them', async () => {
    const browser = createBrowser();
    const challenge = await begin(browser, authorizationUrl(instance, client));
    const cookies = new Map(browser.cookies);
    const rejected = await reject(instance, 'login', challenge);
    for (const older of [cookies, cookies]) {
      const end = locationOf(await browserWith(older).get(rejected));
      expect(end.searchParams.get('error')).toBe('access_denied');
      expect(end.searchParams.has('code')).toBe(false);
    }
  });

  test('cookies rolled back to those of the beginning change no decision: they hold none', async () => {
    const browser = createBrowser();
    const challenge = await begin(browser, authorizationUrl(instance, client));
    const atFirst = [...browser.cookies];
    expect(atFirst).toHaveLength(1);
    expect(atFirst[0]?.[1]).toMatch(/^[\w-]{43}$/);
    const toConsent = await acceptLogin(instance, challenge, { subject: 'alice', acr: 'strong' });
    const consentUrl = await acceptConsent(instance, challengeIn(await browser.get(toConsent), 'consent'));
    expect([...browser.cookies]).toEqual(atFirst);
    const code = await codeAt(browserWith(new Map(atFirst)), consentUrl);
    const { body } = await redeem(instance, client, code);
    expect(decodeJwt(String(body.id_token))).toMatchObject({ sub: 'alice', acr: 'strong' });
  });
});
