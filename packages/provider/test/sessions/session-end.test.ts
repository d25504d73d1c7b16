import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser } from '../browser.ts';
import { consentPage, loginPage } from '../harness.ts';
import { login } from '../login.ts';
import { logoutPage, signOut, untilDelivered } from '../sign-out.ts';

const instance = startBeforeTests({
  config: { urls: { login: loginPage, consent: consentPage, logout: logoutPage } },
  onSessionEnd: (session) => {
    ended.push(session);
    if (session.subject === 'mallory') throw new Error('the program’s own failure');
  },
});
const client = registerBeforeTests(instance, 'app');
const ended: unknown[] = [];

const loggedIn = async (subject: string, browser = createBrowser(), body: object = {}) => {
  const options = { remember: true, identity_provider_session_id: `idp session of ${subject}`, ...body };
  const { id_token } = await login(instance, client, { browser, subject, login: options, params: { prompt: 'login' } });
  return { browser, sid: decodeJwt(String(id_token)).sid };
};

test('a program hears of a session that has ended, with what the login app called it, once', async () => {
  const { browser, sid } = await loggedIn('alice');
  await signOut(instance, browser);
  await untilDelivered(instance.adapter);
  expect(ended.splice(0)).toEqual([{ sid, subject: 'alice', identityProviderSessionId: 'idp session of alice' }]);
});

test('the listener gets no call while the same user stays, and the first session when another user signs in', async () => {
  const { browser } = await loggedIn('alice');
  const { sid } = await loggedIn('alice', browser);
  await untilDelivered(instance.adapter);
  expect(ended).toEqual([]);
  await loggedIn('bob', browser);
  await untilDelivered(instance.adapter);
  expect(ended.splice(0)).toEqual([{ sid, subject: 'alice', identityProviderSessionId: 'idp session of alice' }]);
});

test('what it throws is logged, and the logout goes on', async () => {
  const { browser } = await loggedIn('mallory');
  await signOut(instance, browser);
  await untilDelivered(instance.adapter);
  expect(instance.log()).toContain('onSessionEnd failed');
  ended.length = 0;
});
