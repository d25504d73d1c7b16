import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { sessionKey } from '../../src/sessions/session-record.ts';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { askLogin, decideAll, introspect, redeem } from '../login.ts';

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

describe('a login that was accepted with the time at which the user authenticated', () => {
  const instance = startBeforeTests({ config: { oidc: { supportedAcrValues: ['urn:carnet:1fa'] } } });
  const client = registerBeforeTests(instance, 'bank');

  const signIn = async (browser: ReturnType<typeof createBrowser>, login = {}, params = {}) => {
    const request = await askLogin(instance, client, { browser, params });
    const decisions = { login: { subject: 'alice', remember: true, remember_for: 900, ...login } };
    const end = await browser.get(await decideAll(instance, browser, String(request.challenge), decisions));
    const { body } = await redeem(instance, client, locationOf(end));
    const { auth_time: authTime } = decodeJwt(String(body.id_token));
    const { auth_time: introspected } = await introspect(instance, body.access_token);
    return { skipped: request.skip, sid: String(request.session_id), authTime, introspected };
  };
  const isSkipped = async (browser: ReturnType<typeof createBrowser>, params = {}) =>
    (await askLogin(instance, client, { browser, params })).skip;

  test.each([
    ['two hours ago', 7_200],
    ['an unknown time', undefined],
  ])(
    'the login has this time in its tokens and for max_age, and is remembered from now on: %s',
    async (_title, age) => {
      const browser = createBrowser();
      const time = age === undefined ? undefined : nowSeconds() - age;
      const { sid, authTime, introspected } = await signIn(browser, { auth_time: time ?? 0 });
      expect([authTime, introspected]).toEqual([time, time]);
      const [session] = await instance.adapter.read([sessionKey(sid)]);
      expect((session?.expiresAt?.getTime() ?? 0) / 1000 - nowSeconds()).toBeGreaterThan(880);
      const {
        items: [listed],
      } = await instance.carnet.sessions.list({ subject: 'alice' });
      expect(Date.now() - (listed?.authenticatedAt.getTime() ?? 0)).toBeLessThan(60_000);
      expect(await isSkipped(browser)).toBe(true);
      expect(await isSkipped(browser, { max_age: '3600' })).toBe(false);
      expect(await isSkipped(browser, { max_age: '10800' })).toBe(age !== undefined);
      const again = await signIn(browser);
      expect(again).toMatchObject({ skipped: true, authTime: time });
      await instance.carnet.sessions.revoke({ subject: 'alice' });
    },
  );

  test('the login is not in the future', async () => {
    const { authTime } = await signIn(createBrowser(), { auth_time: nowSeconds() + 3_600 });
    expect(Number(authTime) - nowSeconds()).toBeLessThanOrEqual(0);
  });
});
