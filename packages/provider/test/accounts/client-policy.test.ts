import type { ConfigInput } from '@carnet/provider';
import { expect, test } from 'vitest';
import { createBrowser } from '../browser.ts';
import { registerClient } from '../clients.ts';
import { askLogin, login } from '../login.ts';
import { password, startWithAda } from './start-accounts.ts';

/** Which clients skip the sign-in after one at the client `shop` that reached `acr`. */
const skippedAfter = async (acr: string, secondFactors: object) => {
  const accounts = { passkeys: { rpId: 'login.test', origins: ['https://login.test'] }, secondFactors };
  const { subject, ...instance } = await startWithAda({ accounts });
  const [shop, bank, vault] = [
    await registerClient(instance, 'shop'),
    await registerClient(instance, 'bank'),
    await registerClient(instance, 'vault'),
  ];
  const browser = createBrowser();
  await login(instance, shop, { browser, subject, login: { remember: true, acr } });
  const skipped: string[] = [];
  for (const client of [shop, bank, vault]) {
    if ((await askLogin(instance, client, { browser })).skip === true) skipped.push(client.id);
  }
  return skipped;
};

const clients = { bank: 'required', vault: 'phishing_resistant' };

test.each([
  ['urn:carnet:1fa', ['shop']],
  ['urn:carnet:2fa', ['shop', 'bank']],
  ['phr', ['shop', 'bank', 'vault']],
])('a remembered sign-in with %s is enough for the clients whose policy it fulfils: %j', async (acr, expected) => {
  expect(await skippedAfter(acr, { clients })).toEqual(expected);
});

test('a remembered sign-in of a laxer realm is not enough for a client as strict as the default', async () => {
  const secondFactors = { policy: 'required', realms: { guests: 'none' }, clients: { bank: 'required' } };
  expect(await skippedAfter('urn:carnet:1fa', secondFactors)).toEqual(['shop', 'vault']);
});

test('the account pages ask for the factor of a user who has one, also where the policy is none', async () => {
  const accounts: ConfigInput['accounts'] = { secondFactors: { policy: 'none', kinds: ['totp', 'pin'] } };
  const { subject, ...instance } = await startWithAda({ accounts });
  const signIn = async (client_id: string) =>
    (await instance.call('sign-in/password', { login: 'ada@example.com', password, binding: 'c', client_id })).body
      .state;
  expect(await signIn('carnet-account')).toBe('done');
  await instance.call('factors/pin', { subject, pin: '4711' });
  expect([await signIn('shop'), await signIn('carnet-account')]).toEqual(['done', 'factor']);
});
