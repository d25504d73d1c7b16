import { beforeTests } from '@carnet/test-servers/before-tests';
import { beforeAll, describe, expect, test } from 'vitest';
import { isLiveSession } from '../../src/sessions/session-record.ts';
import type { Browser } from '../browser.ts';
import {
  acceptConsent,
  acceptLogin,
  askLogin,
  authorizationUrl,
  begin,
  challengeIn,
  errorAt,
  logIn,
  redeem,
  reject,
} from '../login.ts';
import { clients } from '../threat-target.ts';
import { codeAt, walk } from '../walk.ts';
import type { ProviderProcess } from './provider-process.ts';
import { startPair } from './serving.ts';
import { startServers, testStores } from './test-stores.ts';

const { app } = clients;
const remember = { remember: true, remember_for: 3_600 };
const rounds = 20;

beforeAll(startServers);

describe.each(Object.entries(testStores))(
  'a login that is to be remembered, with two processes on %s,',
  (name, start) => {
    const pair = beforeTests(() => startPair(start));
    let first: ProviderProcess;
    let second: ProviderProcess;
    let users = 0;
    beforeAll(() => {
      [first, second] = pair.processes;
    });

    // Two of the stores share a Redis Cluster.
    const newSubject = (): string => `user ${users++} of ${name}`;
    const sidIn = ({ cookies }: Pick<Browser, 'cookies'>): string => cookies.get('carnet_session')?.split('.')[0] ?? '';
    const liveSessionsOf = async (subject: string) =>
      (await pair.adapter.list({ kind: 'session', subject, limit: 500 })).records.filter(isLiveSession);
    const askedIn = (at: ProviderProcess, { cookies }: Pick<Browser, 'cookies'>) =>
      askLogin(at, app, { browser: at.browser(cookies) });
    const logOut = (at: ProviderProcess, subject: string) =>
      fetch(`${at.admin}/admin/oauth2/auth/sessions/login?${new URLSearchParams({ subject })}`, { method: 'DELETE' });
    const signedIn = async (at: ProviderProcess, browser: Browser, subject: string, params = {}) => {
      const flow = await walk(at, app, { browser, subject, login: remember, params });
      return codeAt(browser, flow.consentUrl);
    };
    /** A code that is on its way while its user signs in again at the other process. */
    const codeAndSuccessor = async () => {
      const subject = newSubject();
      const browser = first.browser();
      const code = await signedIn(first, browser, subject);
      const again = second.browser(browser.cookies);
      const latestCode = await signedIn(second, again, subject, { prompt: 'login' });
      expect(sidIn(again)).not.toBe(sidIn(browser));
      return { subject, code, latestCode, browser: again };
    };

    test('survives a consent that is denied at the other process', async () => {
      const subject = newSubject();
      const browser = first.browser();
      const consent = await logIn(first, app, { browser, subject, login: remember });
      const end = await reject(second, 'consent', consent);
      expect(await errorAt(end, second.browser(browser.cookies))).toBe('access_denied');
      for (const at of pair.processes) expect(await askedIn(at, browser)).toMatchObject({ skip: true, subject });
      expect(await liveSessionsOf(subject)).toHaveLength(1);
    });

    test('one process signs the user in, and the other gives consent', async () => {
      const subject = newSubject();
      const { browser, consentUrl } = await walk(first, app, { browser: first.browser(), subject, login: remember });
      const code = await codeAt(second.browser(browser.cookies), consentUrl);
      expect((await redeem(first, app, code)).status).toBe(200);
      expect((await liveSessionsOf(subject)).map(({ members }) => members)).toEqual([[app.id]]);
    });

    test('a code that is on its way when the user signs in again at the other process is redeemed, once', async () => {
      const { subject, code, latestCode } = await codeAndSuccessor();
      expect((await redeem(first, app, code)).status).toBe(200);
      expect((await redeem(first, app, latestCode)).status).toBe(200);
      expect((await redeem(second, app, code)).body.error).toBe('invalid_grant');
      expect(await liveSessionsOf(subject)).toHaveLength(1);
    });

    test('such a code that comes to both processes at once gives tokens once', async () => {
      const { code } = await codeAndSuccessor();
      const answers = await Promise.all(
        Array.from({ length: rounds }, (_, n) => redeem(pair.processes[n % 2] ?? first, app, code)),
      );
      const refused = answers.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body.error]);
      expect(refused).toEqual(Array(rounds - 1).fill([400, 'invalid_grant']));
    });

    test('a logout at one process ends both sessions and both codes at the other', async () => {
      const { subject, code, latestCode, browser } = await codeAndSuccessor();
      expect((await logOut(first, subject)).status).toBe(204);
      for (const each of [code, latestCode]) expect((await redeem(second, app, each)).body.error).toBe('invalid_grant');
      for (const at of pair.processes) expect((await askedIn(at, browser)).skip).toBe(false);
      expect(await liveSessionsOf(subject)).toEqual([]);
    });

    test('verifiers that come to the other process after a logout bring no session back', async () => {
      const subject = newSubject();
      const flow = await walk(first, app, { browser: first.browser(), subject, login: remember });
      await codeAt(flow.browser, flow.consentUrl);
      await logOut(first, subject);
      for (const url of [flow.loginUrl, flow.consentUrl]) {
        const replaying = second.browser(flow.cookies);
        expect((await replaying.get(url)).status).toBeLessThan(500);
        expect((await askedIn(first, replaying)).skip).toBe(false);
      }
      expect(await liveSessionsOf(subject)).toEqual([]);
    });

    test('a logout and codes that join the session at once: afterwards no session lives and no code is good', async () => {
      const all = await Promise.all(Array.from({ length: rounds }, codeAndSuccessor));
      const answers = await Promise.all(
        all.map(async ({ subject, code }, n) => {
          const [redeemed, ended] = await Promise.all([
            redeem(pair.processes[n % 2] ?? first, app, code),
            logOut(pair.processes[(n + 1) % 2] ?? second, subject),
          ]);
          return [redeemed.body.error ?? redeemed.status, ended.status];
        }),
      );
      for (const answer of answers)
        expect([
          [200, 204],
          ['invalid_grant', 204],
        ]).toContainEqual(answer);
      for (const { subject, code, latestCode } of all) {
        expect(await liveSessionsOf(subject)).toEqual([]);
        for (const each of [code, latestCode])
          expect((await redeem(first, app, each)).body.error).toBe('invalid_grant');
      }
    });

    test('a code that is redeemed while its user signs in again is good for tokens', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: rounds }, async () => {
          const subject = newSubject();
          const browser = first.browser();
          const code = await signedIn(first, browser, subject);
          const again = second.browser(browser.cookies);
          const challenge = await begin(again, authorizationUrl(second, app, { prompt: 'login' }));
          const loginUrl = await acceptLogin(second, challenge, { subject, ...remember });
          const [redeemed, toConsent] = await Promise.all([redeem(first, app, code), again.get(loginUrl)]);
          return [redeemed.status, toConsent.status, (await liveSessionsOf(subject)).length];
        }),
      );
      expect(outcomes).toEqual(Array(rounds).fill([200, 302, 1]));
    });

    test.each(['no session', 'a session of the same user', 'a session of another user'])(
      'its verifier that comes to both processes at once, from a browser with %s, makes one session',
      async (former) => {
        const subject = newSubject();
        const other = former === 'a session of the same user' ? subject : newSubject();
        const browser = first.browser();
        if (former !== 'no session') await signedIn(first, browser, other);
        const challenge = await begin(browser, authorizationUrl(first, app, { prompt: 'login' }));
        const loginUrl = await acceptLogin(first, challenge, { subject, ...remember });
        const cookies = new Map(browser.cookies);
        const ends = await Promise.all(
          Array.from({ length: rounds }, async (_, n) => {
            const each = (pair.processes[n % 2] ?? first).browser(cookies);
            return { browser: each, response: await each.get(loginUrl) };
          }),
        );
        expect(ends.map(({ response }) => response.status)).toEqual(Array(rounds).fill(302));
        const consents = ends.map(({ response }) => challengeIn(response, 'consent'));
        expect(new Set(ends.map((end) => sidIn(end.browser))).size).toBe(1);
        expect(await liveSessionsOf(subject)).toHaveLength(1);
        if (other !== subject) expect(await liveSessionsOf(other)).toEqual([]);
        const consentUrl = await acceptConsent(second, consents[1] ?? '');
        const code = await codeAt(second.browser(ends[0]?.browser.cookies), consentUrl);
        expect((await redeem(first, app, code)).status).toBe(200);
      },
    );
  },
);
