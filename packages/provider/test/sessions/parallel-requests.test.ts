import { beforeTests } from '@carnet/test-servers/before-tests';
import { decodeJwt } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sessionKey } from '../../src/sessions/session-record.ts';
import { type Browser, createBrowser, locationOf } from '../browser.ts';
import { refusal } from '../call.ts';
import { type CarnetTarget, sidIn, startCarnet } from '../carnet-target.ts';
import { secretsIn } from '../leaks.ts';
import { acceptConsent, acceptLogin, authorizationUrl, begin, challengeIn, headless, redeem } from '../login.ts';
import { clients } from '../threat-target.ts';

/** Threats D3, D4, D15 and D16: what becomes of a remembered login. */

const { app, second, third } = clients;
const staleRequests = 5;

/** The same browser in another tab, or the same cookies at another time. */
const copyOf = (browser: Browser): Browser => createBrowser(new Map(browser.cookies));

const loggedIn = async (target: CarnetTarget): Promise<Browser> => {
  const browser = createBrowser();
  await redeem(target, app, await target.authorize(app, { browser, scope: 'openid' }));
  return browser;
};

/** The error, or `code`, of a request that nobody is to be asked about. */
const silently = async (target: CarnetTarget, browser: Browser): Promise<string> => {
  const params = { prompt: 'none', scope: 'openid' };
  const { searchParams } = locationOf(await browser.get(authorizationUrl(target, app, params)));
  return searchParams.get('error') ?? (searchParams.has('code') ? 'code' : 'asked');
};

/** D3 */
const joinInParallel = async (target: CarnetTarget) => {
  const browser = await loggedIn(target);
  const [one, two] = await Promise.all(
    [second, third].map((client) => target.authorize(client, { browser: copyOf(browser), scope: 'openid' })),
  );
  const answers = [await redeem(target, second, one as URL), await redeem(target, third, two as URL)];
  const redeemed = answers.filter(({ status }) => status === 200).length;
  return { redeemed, participants: (await target.participants(browser)).toSorted() };
};

/** D4 */
const logoutDuringRequest = async (target: CarnetTarget): Promise<string> => {
  const browser = await loggedIn(target);
  const stolen = copyOf(browser);
  const hold = target.faults.holdNext('read session');
  const inFlight = copyOf(browser).get(authorizationUrl(target, app, { scope: 'openid' }));
  await hold.reached;
  await target.logout(browser);
  hold.release();
  await inFlight;
  return silently(target, stolen);
};

describe('Carnet', () => {
  const carnet = beforeTests(() => startCarnet());
  beforeEach(() => {
    carnet.faults.latencyMs = 0;
  });
  afterEach(() => expect(secretsIn(carnet.instance.log())).toEqual([]));

  test('2 clients that join a session in parallel both get tokens, and both are known to it', {
    tags: ['D3'],
  }, async () => {
    carnet.faults.latencyMs = 20;
    expect(await joinInParallel(carnet)).toEqual({ redeemed: 2, participants: ['app', 'second', 'third'] });
  });

  test('a request in flight during logout brings no session back', { tags: ['D4'] }, async () => {
    expect(await logoutDuringRequest(carnet)).toBe('login_required');
  });

  test('without a logout the same request is answered quietly', { tags: ['D4'] }, async () => {
    const browser = await loggedIn(carnet);
    expect(await silently(carnet, browser)).toBe('asked');
  });

  test('a login skipped for a session is asked for again when the session ends meanwhile', {
    tags: ['D4'],
  }, async () => {
    const browser = await loggedIn(carnet);
    const tab = copyOf(browser);
    const challenge = await begin(tab, authorizationUrl(carnet, app));
    const toConsent = await acceptLogin(carnet.instance, challenge, { subject: 'alice' });
    await carnet.logout(browser);
    const again = await begin(tab, locationOf(await tab.get(toConsent)).href);
    const { body } = await headless(carnet.instance, 'GET', `login?login_challenge=${again}`);
    expect([body.skip, body.subject]).toEqual([false, '']);
  });

  test('a code of a session that ended meanwhile is refused', { tags: ['D4'] }, async () => {
    const browser = await loggedIn(carnet);
    const end = await carnet.authorize(second, { browser });
    await carnet.logout(browser);
    expect(await redeem(carnet, second, end)).toMatchObject(refusal('invalid_grant'));
  });

  test('extending a session that ended meanwhile brings it back neither then nor later', { tags: ['D4'] }, async () => {
    const browser = await loggedIn(carnet);
    const [tab, stolen] = [copyOf(browser), copyOf(browser)];
    const login = { subject: 'alice', extend_session_lifespan: true };
    const toConsent = await acceptLogin(carnet.instance, await begin(tab, authorizationUrl(carnet, app)), login);
    const end = await acceptConsent(carnet.instance, challengeIn(await tab.get(toConsent), 'consent'));
    const hold = carnet.faults.holdNext('merge session');
    const inFlight = tab.get(end);
    await hold.reached;
    await carnet.logout(browser);
    hold.release();
    expect((await inFlight).status).toBe(400);
    expect(tab.cookies.get('carnet_session')).toBe(stolen.cookies.get('carnet_session'));
    expect(await silently(carnet, stolen)).toBe('login_required');
  });

  test('requests with a stale session cookie write nothing, and the cookie is cleared', { tags: ['D15'] }, async () => {
    const browser = await loggedIn(carnet);
    const stale = copyOf(browser);
    await carnet.logout(browser);
    const before = carnet.written();
    for (let i = 0; i < staleRequests; i++) await silently(carnet, copyOf(stale));
    expect(carnet.written() - before).toBe(0);
    for (const params of [{ prompt: 'login' }, { prompt: 'none' }]) {
      const again = copyOf(stale);
      await again.get(authorizationUrl(carnet, app, params));
      expect(again.cookies.has('carnet_session')).toBe(false);
    }
  });

  test('a forged session cookie does not reach the store, and is cleared', { tags: ['D15'] }, async () => {
    const forged = createBrowser(new Map([['carnet_session', `${crypto.randomUUID()}.${'A'.repeat(43)}`]]));
    carnet.instance.calls.reset();
    await begin(forged, authorizationUrl(carnet, app));
    expect([carnet.instance.calls.trips(), forged.cookies.has('carnet_session')]).toEqual([0, false]);
  });

  test('a flow begun as one person and answered as another ends with the code of the second', {
    tags: ['D16'],
  }, async () => {
    const browser = await loggedIn(carnet);
    const alice = copyOf(browser);
    const begun = await begin(browser, authorizationUrl(carnet, second));
    const toStart = await acceptLogin(carnet.instance, begun, { subject: 'bob' });
    const challenge = await begin(browser, toStart);
    const { body } = await headless(carnet.instance, 'GET', `login?login_challenge=${challenge}`);
    expect([body.skip, body.subject]).toEqual([false, '']);
    const login = { subject: 'bob', remember: true };
    const toConsent = await acceptLogin(carnet.instance, challenge, login);
    const toEnd = await acceptConsent(carnet.instance, challengeIn(await browser.get(toConsent), 'consent'));
    const tokens = await redeem(carnet, second, locationOf(await browser.get(toEnd)));
    expect([tokens.status, decodeJwt(String(tokens.body.id_token)).sub]).toEqual([200, 'bob']);
    // The first person's session has ended, and the browser is the second person's.
    expect(sidIn(browser)).not.toBe(sidIn(alice));
    expect(await silently(carnet, alice)).toBe('login_required');
    const [session] = await carnet.instance.adapter.read([sessionKey(sidIn(browser))]);
    expect(session?.subject).toBe('bob');
  });
});
