import { expect, test } from 'vitest';
import { createBrowser } from '../browser.ts';
import { registerClient } from '../clients.ts';
import { askLogin, login, refresh } from '../login.ts';
import { password, startWithAda } from './start-accounts.ts';

const next = 'a better password than before';

const startWithTokens = async (accounts: object) => {
  const { subject, ...instance } = await startWithAda({ accounts });
  const client = await registerClient(instance, 'app');
  const signIn = async (user: string) => {
    const browser = createBrowser();
    const tokens = await login(instance, client, { browser, subject: user, login: { remember: true } });
    /** Whether the browser is still remembered. */
    const isRemembered = async () => (await askLogin(instance, client, { browser })).skip === true;
    return { isRemembered, refreshed: async () => (await refresh(instance, client, tokens.refresh_token)).status };
  };
  const change = (current: string) =>
    instance.call('account/change-password', { subject, current, next }).then(({ body }) => body);
  return { instance, subject, ada: await signIn(subject), bob: await signIn('users.bob'), change };
};

test('a new password ends the remembered logins and the refresh tokens of the user, and of no other', async () => {
  const { ada, bob, change, instance, subject } = await startWithTokens({});
  expect(await change('not the password')).toMatchObject({ ok: false, error: 'wrong_password' });
  expect(await ada.isRemembered()).toBe(true);

  expect(await change(password)).toEqual({ ok: true });
  expect([await ada.isRemembered(), await ada.refreshed()]).toEqual([false, 400]);
  expect([await bob.isRemembered(), await bob.refreshed()]).toEqual([true, 200]);
  const audits = instance.logLines.map((line) => JSON.parse(line).audit);
  expect(audits).toContainEqual(
    expect.objectContaining({ action: 'account.password', outcome: 'success', reason: 'change', subject }),
  );
});

test('tokens stay valid if the configuration says so', async () => {
  const { ada, change } = await startWithTokens({ revokeTokensOnPasswordChange: false });
  expect(await change(password)).toEqual({ ok: true });
  expect([await ada.isRemembered(), await ada.refreshed()]).toEqual([false, 200]);
});
