import { expect, test } from 'vitest';
import { createBrowser } from '../browser.ts';
import { registerClient } from '../clients.ts';
import { askLogin, login, refresh } from '../login.ts';
import { startWithAda } from './start-accounts.ts';

test('a deleted account ends every login and token of its user at once, and those of no other user', async () => {
  const accounts = { deletion: { enabled: true, graceSeconds: '3d' }, revokeTokensOnPasswordChange: false };
  const { subject: ada, ...instance } = await startWithAda({ accounts });
  const client = await registerClient(instance, 'app');
  const signIn = async (subject: string) => {
    const browser = createBrowser();
    const tokens = await login(instance, client, { browser, subject, login: { remember: true } });
    return async () => [
      (await askLogin(instance, client, { browser })).skip,
      (await refresh(instance, client, tokens.refresh_token)).status,
    ];
  };
  const [stateOfAda, stateOfBob] = [await signIn(ada), await signIn('users.bob')];
  const { body } = await instance.call('account/delete', { subject: ada });
  expect(body).toMatchObject({ ok: true });
  const graceDays = (Date.parse(String(body.delete_at)) - Date.now()) / 86_400_000;
  expect(Math.round(graceDays)).toBe(3);
  expect([await stateOfAda(), await stateOfBob()]).toEqual([
    [false, 400],
    [true, 200],
  ]);
  const audits = instance.logLines.map((line) => JSON.parse(line).audit);
  expect(audits).toContainEqual(
    expect.objectContaining({ action: 'account.deletion_requested', outcome: 'success', subject: ada }),
  );
});
