import { beforeTests } from '@carnet/test-servers/before-tests';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { sessionKey } from '../../src/sessions/session-record.ts';
import { registerBeforeTests } from '../before-tests.ts';
import { type Browser, createBrowser, locationOf } from '../browser.ts';
import { redirectUri } from '../clients.ts';
import { start } from '../harness.ts';
import {
  acceptConsent,
  acceptLogin,
  askLogin,
  authorizationUrl,
  begin,
  challengeIn,
  decideAll,
  headless,
  login,
  redeem,
} from '../login.ts';

const hour = 3_600;

describe('a remembered login', () => {
  const instance = beforeTests(() => start({ now: () => Date.now() + offsetMs }));
  const first = registerBeforeTests(instance, 'first');
  const second = registerBeforeTests(instance, 'second');
  let offsetMs = 0;

  interface Former {
    readonly subject?: string;
    /** How long ago it was, in seconds. */
    readonly age?: number;
    readonly body?: Record<string, unknown>;
  }

  /** A browser in which somebody has logged in, at the first client. */
  const remembering = async ({ subject = 'alice', age = 0, body }: Former = {}) => {
    const browser = createBrowser();
    const challenge = await begin(browser, authorizationUrl(instance, first));
    offsetMs = -age * 1000;
    const toConsent = await acceptLogin(instance, challenge, { subject, remember: true, ...body });
    offsetMs = 0;
    const end = await acceptConsent(instance, challengeIn(await browser.get(toConsent), 'consent'));
    const { body: tokens } = await redeem(instance, first, locationOf(await browser.get(end)));
    return { browser, claims: decodeJwt(String(tokens.id_token)) };
  };
  const ask = async (browser: Browser, params: Record<string, string> = {}) => {
    const request = await askLogin(instance, second, { browser, params });
    return { challenge: String(request.challenge), request };
  };
  const cookieOf = (response: Response): string | undefined =>
    response.headers.getSetCookie().find((line) => line.startsWith('carnet_session='));
  /** Seconds that the cookie lasts: whole ones, so that one may have passed while it was made. */
  const lifetimeOf = (response: Response): number =>
    Number(/Max-Age=(\d+);/.exec(cookieOf(response) ?? '')?.[1] ?? Number.NaN);
  const finish = async (browser: Browser, challenge: string, body: Record<string, unknown>): Promise<Response> =>
    browser.get(await decideAll(instance, browser, challenge, { login: body }));

  test('can be skipped at the next client, with its subject and sid', async () => {
    const { browser, claims } = await remembering();
    const { request } = await ask(browser);
    expect(request).toMatchObject({ skip: true, subject: 'alice', session_id: claims.sid });
  });

  test('gives the next client the same sid, auth_time, acr and amr', async () => {
    const { browser, claims } = await remembering({ age: hour, body: { acr: 'urn:two', amr: ['pwd', 'otp'] } });
    const tokens = await login(instance, second, { browser });
    const { sid, auth_time, acr, amr, iat } = decodeJwt(String(tokens.id_token));
    const authentication = { acr: 'urn:two', amr: ['pwd', 'otp'] };
    expect({ sid, auth_time, acr, amr }).toEqual({ sid: claims.sid, auth_time: claims.auth_time, ...authentication });
    expect(Number(iat) - Number(auth_time)).toBeGreaterThanOrEqual(hour);
  });

  test.each([
    ['prompt=login', { prompt: 'login' }],
    ['prompt=select_account', { prompt: 'select_account' }],
    ['max_age that it is older than', { max_age: '1800' }],
    ['max_age=0', { max_age: '0' }],
  ])('the login is not skipped for %s', async (_what, params) => {
    const { browser, claims } = await remembering({ age: hour });
    const { request, challenge } = await ask(browser, params);
    expect(request).toMatchObject({ skip: false, subject: '' });
    expect(request.session_id).not.toBe(claims.sid);
    const end = await finish(browser, challenge, { remember: true });
    expect(locationOf(end).searchParams.has('code')).toBe(true);
    expect((await ask(browser)).request).toMatchObject({ skip: true, session_id: request.session_id });
  });

  test('the login is skipped for an id_token_hint of the same user, and of no other', async () => {
    const alice = await remembering();
    const bob = await remembering({ subject: 'bob' });
    const hintOf = async (browser: Browser, subject: string) =>
      String((await login(instance, second, { browser, subject })).id_token);
    const [ofAlice, ofBob] = [await hintOf(alice.browser, 'alice'), await hintOf(bob.browser, 'bob')];
    expect((await ask(alice.browser, { id_token_hint: ofAlice })).request.skip).toBe(true);
    const { request, challenge } = await ask(alice.browser, { id_token_hint: ofBob });
    expect(request).toMatchObject({ skip: false, oidc_context: { id_token_hint_claims: { sub: 'bob' } } });
    const wrongUser = await alice.browser.get(await acceptLogin(instance, challenge, { subject: 'alice' }));
    expect(locationOf(wrongUser).origin + locationOf(wrongUser).pathname).toBe(redirectUri);
    expect(locationOf(wrongUser).searchParams.get('error')).toBe('login_required');
  });

  test.each([
    ['for as long as the configuration says', {}, 2_592_000],
    ['for as long as remember_for says', { remember_for: 600 }, 600],
  ])('lasts %s', async (_what, body, maxAge) => {
    const browser = createBrowser();
    const { challenge, request } = await ask(browser);
    const login = { subject: 'alice', remember: true, ...body };
    const signedIn = await browser.get(await acceptLogin(instance, challenge, login));
    expect(Math.abs(lifetimeOf(signedIn) - maxAge)).toBeLessThanOrEqual(2);
    const [record] = await instance.adapter.read([sessionKey(String(request.session_id))]);
    const left = ((record?.expiresAt?.getTime() ?? 0) - Date.now()) / 1000;
    expect(Math.abs(left - maxAge)).toBeLessThan(60);
  });

  test('lasts longer only when the login app that skipped it says so', async () => {
    const { browser, claims } = await remembering({ body: { remember_for: 600 } });
    const expiry = async () => (await instance.adapter.read([sessionKey(String(claims.sid))]))[0]?.expiresAt?.getTime();
    const before = await expiry();
    expect(cookieOf(await finish(browser, (await ask(browser)).challenge, { remember: true }))).toBeUndefined();
    expect(await expiry()).toBe(before);
    const extension = { extend_session_lifespan: true, remember_for: 7200 };
    const extended = await finish(browser, (await ask(browser)).challenge, extension);
    expect(Math.abs(lifetimeOf(extended) - 7_200)).toBeLessThanOrEqual(2);
    expect(Number(await expiry()) - Number(before)).toBeGreaterThan(6_000_000);
    expect((await ask(browser)).request).toMatchObject({ skip: true, session_id: claims.sid });
  });

  test('ends when somebody logs in anew in its browser without being remembered', async () => {
    const { browser } = await remembering();
    const { challenge } = await ask(browser, { prompt: 'login' });
    expect(cookieOf(await finish(browser, challenge, { remember: false }))).toContain('Max-Age=0');
    expect((await ask(browser)).request.skip).toBe(false);
  });

  describe('and prompt=none', () => {
    const quietly = (browser: Browser, params: Record<string, string> = {}) =>
      browser.get(authorizationUrl(instance, second, { prompt: 'none', state: 'of-the-client', ...params }));
    const errorOf = (response: Response) => Object.fromEntries(locationOf(response).searchParams);

    test('prompt=none with a login and no remembered consent gives consent_required', async () => {
      const { browser } = await remembering({ subject: 'carol' });
      const challenge = challengeIn(await quietly(browser), 'login');
      const { body } = await headless(instance, 'GET', `login?login_challenge=${challenge}`);
      expect(body).toMatchObject({ skip: true, subject: 'carol' });
      expect(new URL(String(body.request_url)).searchParams.get('prompt')).toBe('none');
      const end = await browser.get(await acceptLogin(instance, challenge, { subject: 'carol' }));
      expect(errorOf(end)).toMatchObject({ error: 'consent_required', state: 'of-the-client' });
    });

    test('prompt=none with login and consent gives a code, and the apps receive skip', async () => {
      const { browser, claims } = await remembering({ subject: 'dora' });
      await login(instance, second, { browser, subject: 'dora', consent: { remember: true } });
      const challenge = challengeIn(await quietly(browser), 'login');
      const toConsent = await browser.get(await acceptLogin(instance, challenge, { subject: 'dora' }));
      const consentChallenge = challengeIn(toConsent, 'consent');
      const { body } = await headless(instance, 'GET', `consent?consent_challenge=${consentChallenge}`);
      expect(body).toMatchObject({ skip: true, subject: 'dora', login_session_id: claims.sid });
      const end = await browser.get(await acceptConsent(instance, consentChallenge));
      expect(errorOf(end)).toMatchObject({ code: expect.any(String), state: 'of-the-client' });
    });
  });
});
