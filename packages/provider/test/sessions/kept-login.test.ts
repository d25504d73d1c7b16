import { beforeTests } from '@carnet/test-servers/before-tests';
import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { isLiveSession, sessionKey } from '../../src/sessions/session-record.ts';
import { startBeforeTests, startInTest } from '../before-tests.ts';
import { type Browser, createBrowser, locationOf } from '../browser.ts';
import { userinfo } from '../call.ts';
import { registerClient } from '../clients.ts';
import {
  acceptConsent,
  acceptLogin,
  askLogin,
  authorizationUrl,
  begin,
  challengeIn,
  login,
  redeem,
  reject,
} from '../login.ts';
import { startLogoutReceiver } from '../logout-receiver.ts';
import { untilDelivered } from '../sign-out.ts';
import { browserWith, codeAt, walk } from '../walk.ts';

const remember = { remember: true, remember_for: 3_600 };

describe('a login that is to be remembered', () => {
  const receiver = beforeTests(() => startLogoutReceiver());
  const instance = startBeforeTests();
  const app = beforeTests(() => registerClient(instance, 'app', { backchannel_logout_uri: receiver.url }));

  beforeEach(() => receiver.forget());

  const askedIn = (browser: Browser) => askLogin(instance, app, { browser });
  /** A remembered login with the code that it ends with. */
  const walkToCode = async () => {
    const browser = createBrowser();
    const flow = await walk(instance, app, { browser, login: remember });
    return { browser, flow, code: await codeAt(browser, flow.consentUrl) };
  };
  const sessionOf = async (browser: Browser) => {
    const sid = browser.cookies.get('carnet_session')?.split('.')[0] ?? '';
    return { sid, record: (await instance.adapter.read([sessionKey(sid)]))[0] };
  };
  const logOut = (sid: string) =>
    fetch(`${instance.admin}/admin/oauth2/auth/sessions/login?sid=${sid}`, { method: 'DELETE' });

  test('survives a consent that is rejected, by one commit when the user has signed in', async () => {
    const browser = createBrowser();
    const challenge = await begin(browser, authorizationUrl(instance, app));
    const toConsent = await acceptLogin(instance, challenge, { subject: 'alice', ...remember });
    instance.calls.reset();
    const consent = challengeIn(await browser.get(toConsent), 'consent');
    expect(instance.calls.commits.map((writes) => writes.map(({ type }) => type))).toEqual([['claim']]);
    expect(instance.calls.trips()).toBe(1);
    const end = await browser.get(await reject(instance, 'consent', consent));
    expect(locationOf(end).searchParams.get('error')).toBe('access_denied');
    expect(instance.calls.trips()).toBe(1);
    expect(await askedIn(browser)).toMatchObject({ skip: true, subject: 'alice' });
  });

  test('survives a consent that is granted nothing, or never answered', async () => {
    for (const answer of [true, false]) {
      const browser = createBrowser();
      const { consentUrl, consentChallenge } = await walk(instance, app, { browser, login: remember });
      expect(consentChallenge).not.toBe('');
      if (answer) await browser.get(await acceptConsent(instance, consentChallenge, { grant_scope: [] }));
      expect(consentUrl).toContain('consent_verifier');
      expect(await askedIn(browser)).toMatchObject({ skip: true, subject: 'alice' });
    }
  });

  test('the login is written once: the granted consent writes nothing', async () => {
    instance.calls.reset();
    const { browser, code } = await walkToCode();
    const kinds = instance.calls.commits.map((writes) =>
      writes.map((write) => write.type === 'claim' && write.record.kind),
    );
    expect([kinds, instance.calls.trips()]).toEqual([[['session']], 1]);
    expect((await redeem(instance, app, code)).status).toBe(200);
    expect((await sessionOf(browser)).record?.members).toEqual(['app']);
  });

  test('redirects to the consent page again when its verifier is loaded again', async () => {
    const browser = createBrowser();
    const flow = await walk(instance, app, { browser, login: remember });
    challengeIn(await browser.get(flow.loginUrl), 'consent');
    // A browser that did not keep the answer has no session cookie yet.
    const without = browserWith(flow.cookies);
    challengeIn(await without.get(flow.loginUrl), 'consent');
    expect(await askedIn(without)).toMatchObject({ skip: true, subject: 'alice' });
  });

  test('the verifiers of the login do not restore it after a logout', { tags: ['D4'] }, async () => {
    const { browser, flow } = await walkToCode();
    const { sid } = await sessionOf(browser);
    expect((await logOut(sid)).status).toBe(204);
    for (const url of [flow.loginUrl, flow.consentUrl]) {
      const thief = browserWith(flow.cookies);
      const answer = await thief.get(url);
      expect(thief.cookies.has('carnet_session')).toBe(false);
      expect(answer.headers.get('location') ?? '').not.toContain('consent_challenge');
      expect((await askedIn(thief)).skip).toBe(false);
    }
    expect(isLiveSession((await instance.adapter.read([sessionKey(sid)]))[0])).toBe(false);
  });

  test('leaves no code that is redeemed after a logout, once the session would have expired anyway', {
    tags: ['D4'],
  }, async () => {
    let nowMs = Date.now();
    const short = await startInTest({ now: () => nowMs });
    const client = await registerClient(short, 'app');
    const flow = await walk(short, client, { login: { remember: true, remember_for: 30 } });
    const code = await codeAt(flow.browser, flow.consentUrl);
    await fetch(`${short.admin}/admin/oauth2/auth/sessions/login?subject=alice`, { method: 'DELETE' });
    nowMs += 31_000;
    expect((await redeem(short, client, code)).body.error).toBe('invalid_grant');
  });

  test('another user of the same request cannot take the login over, and is asked to sign in again', async () => {
    const browser = createBrowser();
    const flow = await walk(instance, app, { browser, login: remember });
    const second = await browser.get(await acceptLogin(instance, flow.loginChallenge, { subject: 'bob', ...remember }));
    expect(locationOf(second).searchParams.get('prompt')).toBe('login');
    expect((await sessionOf(browser)).record?.subject).toBe('alice');
    await login(instance, app, { browser, subject: 'bob', login: remember, params: { prompt: 'login' } });
    expect(await askedIn(browser)).toMatchObject({ skip: true, subject: 'bob' });
  });

  test('ends when the same request is answered again and is not to be remembered', async () => {
    const browser = createBrowser();
    const flow = await walk(instance, app, { browser, login: remember });
    const { sid } = await sessionOf(browser);
    const again = await browser.get(await acceptLogin(instance, flow.loginChallenge, { subject: 'alice' }));
    await browser.get(await acceptConsent(instance, challengeIn(again, 'consent')));
    expect(browser.cookies.has('carnet_session')).toBe(false);
    expect(isLiveSession((await instance.adapter.read([sessionKey(sid)]))[0])).toBe(false);
  });

  describe('and a code that is on its way when the user signs in again', () => {
    const codeAndSuccessor = async () => {
      const { browser, code } = await walkToCode();
      const { sid } = await sessionOf(browser);
      await walk(instance, app, { browser, login: remember, params: { prompt: 'login' } });
      const { sid: latest } = await sessionOf(browser);
      expect(latest).not.toBe(sid);
      return { browser, code, sid, latest };
    };

    test('the code is redeemed once, and its client is notified of the logout by the sid that it knows', async () => {
      const { code, sid, latest } = await codeAndSuccessor();
      const { status, body } = await redeem(instance, app, code);
      expect([status, decodeJwt(String(body.id_token)).sid]).toEqual([200, sid]);
      await logOut(latest);
      await untilDelivered(instance.adapter);
      expect(receiver.received.map(({ token }) => decodeJwt(token).sid)).toEqual([sid]);
      expect((await redeem(instance, app, code)).body.error).toBe('invalid_grant');
    });

    test.each([
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ])('the code is redeemed once where the logins are remembered: first %s, second %s', async (first, second) => {
      const browser = createBrowser();
      const flow = await walk(instance, app, { browser, login: { remember: first } });
      const code = await codeAt(browser, flow.consentUrl);
      await login(instance, app, { browser, login: { remember: second }, params: { prompt: 'login' } });
      expect((await redeem(instance, app, code)).status).toBe(200);
      expect((await redeem(instance, app, code)).body.error).toBe('invalid_grant');
    });

    test('the code is redeemed after several logins of which the last one is not remembered', async () => {
      const { browser, code } = await codeAndSuccessor();
      await login(instance, app, { browser, params: { prompt: 'login' } });
      expect((await redeem(instance, app, code)).status).toBe(200);
    });

    test('the code is refused after a logout and a login that is not remembered', { tags: ['D4'] }, async () => {
      const { browser, code } = await walkToCode();
      await logOut((await sessionOf(browser)).sid);
      await login(instance, app, { browser, params: { prompt: 'login' } });
      expect((await redeem(instance, app, code)).body.error).toBe('invalid_grant');
    });

    test('the code is refused after another user has signed in without being remembered', {
      tags: ['D4'],
    }, async () => {
      const { browser, code } = await walkToCode();
      await login(instance, app, { browser, subject: 'bob', params: { prompt: 'login' } });
      expect((await redeem(instance, app, code)).body.error).toBe('invalid_grant');
    });

    test('the code is refused after a logout', { tags: ['D4'] }, async () => {
      const { code, latest } = await codeAndSuccessor();
      await logOut(latest);
      expect((await redeem(instance, app, code)).body.error).toBe('invalid_grant');
    });

    test('a second use of it revokes what the first has got', async () => {
      const { code } = await codeAndSuccessor();
      const { body } = await redeem(instance, app, code);
      expect((await redeem(instance, app, code)).body.error).toBe('invalid_grant');
      expect((await userinfo(instance, body.access_token)).status).toBe(401);
    });
  });
});
