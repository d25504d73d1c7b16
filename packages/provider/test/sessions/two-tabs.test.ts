import { beforeTests } from '@carnet/test-servers/before-tests';
import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { isLiveSession } from '../../src/sessions/session-record.ts';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { type Browser, createBrowser } from '../browser.ts';
import { registerClient } from '../clients.ts';
import { acceptConsent, acceptLogin, askLogin, authorizationUrl, begin, challengeIn, redeem } from '../login.ts';
import { startLogoutReceiver } from '../logout-receiver.ts';
import { untilDelivered } from '../sign-out.ts';
import { codeAt } from '../walk.ts';

/** Two flows of one browser at once. The consent verifier of a login that is to be remembered writes nothing. */
describe('two tabs in which logins are to be remembered', () => {
  const receiver = beforeTests(() => startLogoutReceiver());
  const instance = startBeforeTests();
  const app = beforeTests(() => registerClient(instance, 'app', { backchannel_logout_uri: receiver.url }));
  const second = registerBeforeTests(instance, 'second');
  let users = 0;
  let alice: string;
  let bob: string;

  beforeEach(() => {
    receiver.forget();
    [alice, bob] = [`alice ${users}`, `bob ${users}`];
    users += 1;
  });

  /** Both flows begin before a user signs in, and the users sign in one after the other. Returns the consent challenges. */
  const signInTwice = async (browser: Browser, subjects: readonly [string, string]) => {
    const challenges: string[] = [];
    for (const client of [app, second]) challenges.push(await begin(browser, authorizationUrl(instance, client)));
    const consents: string[] = [];
    for (const [index, challenge] of challenges.entries()) {
      const toConsent = await acceptLogin(instance, challenge, { subject: subjects[index], remember: true });
      consents.push(challengeIn(await browser.get(toConsent), 'consent'));
    }
    return consents as [string, string];
  };
  const codeOf = async (browser: Browser, consent: string) => codeAt(browser, await acceptConsent(instance, consent));
  const liveSessionsOf = async (subject: string) =>
    (await instance.adapter.list({ kind: 'session', subject, limit: 10 })).records.filter(isLiveSession);
  const logOut = (subject: string) =>
    fetch(`${instance.admin}/admin/oauth2/auth/sessions/login?${new URLSearchParams({ subject })}`, {
      method: 'DELETE',
    });

  test('one user: both codes give tokens, one session is left, and a logout reaches both clients', async () => {
    const browser = createBrowser();
    const [first, latest] = await signInTwice(browser, [alice, alice]);
    const { body } = await redeem(instance, app, await codeOf(browser, first));
    expect((await redeem(instance, second, await codeOf(browser, latest))).status).toBe(200);
    expect(await liveSessionsOf(alice)).toHaveLength(1);
    await logOut(alice);
    await untilDelivered(instance.adapter);
    expect(receiver.received.map(({ token }) => decodeJwt(token).sid)).toEqual([decodeJwt(String(body.id_token)).sid]);
    expect((await askLogin(instance, app, { browser })).skip).toBe(false);
  });

  test('two users: the code of the first is refused, and the browser is that of the second', async () => {
    const browser = createBrowser();
    const [first, latest] = await signInTwice(browser, [alice, bob]);
    expect((await redeem(instance, app, await codeOf(browser, first))).body.error).toBe('invalid_grant');
    expect((await redeem(instance, second, await codeOf(browser, latest))).status).toBe(200);
    expect([await liveSessionsOf(alice), (await liveSessionsOf(bob)).length]).toEqual([[], 1]);
    expect(await askLogin(instance, app, { browser })).toMatchObject({ skip: true, subject: bob });
  });

  test('a logout between the sign-in and the consent: neither code is redeemed, and no session comes back', async () => {
    const browser = createBrowser();
    const consents = await signInTwice(browser, [alice, alice]);
    await logOut(alice);
    for (const [index, consent] of consents.entries()) {
      const code = await codeOf(browser, consent);
      expect((await redeem(instance, index === 0 ? app : second, code)).body.error).toBe('invalid_grant');
    }
    expect(await liveSessionsOf(alice)).toEqual([]);
    expect((await askLogin(instance, app, { browser })).skip).toBe(false);
  });
});
