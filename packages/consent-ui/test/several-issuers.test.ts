import type { Account, Accounts } from '@carnet/accounts';
import { expect, it } from 'vitest';
import type { AccountLogin } from '../src/account/account-client.ts';
import { accountCookies } from '../src/account/account-session.ts';
import { accountContextOf } from '../src/account/open-context.ts';
import { openServices, type Services } from '../src/services.ts';
import { fromObject } from '../src/settings/read-settings.ts';

const cookieSecrets = ['one secret in the file that all units read'] as const;

/** The pages of an issuer that has the user `alice`, with the same secret as those of the others. */
const pagesOf = (issuer: string): Services => {
  const services = openServices(fromObject({ issuer, adminUrl: 'http://127.0.0.1:1', cookieSecrets }));
  const profile = { user: { subject: 'alice', claims: {} } } as unknown as Account;
  return {
    ...services,
    accounts: { ...services.accounts, account: { show: async () => profile } as unknown as Accounts['account'] },
    sessionsApi: { ...services.sessionsApi, sessions: async () => [], clients: async () => [] },
  };
};

it('a user of one issuer is not signed in to the account page of another with the same cookie secret and subject', async () => {
  const [acme, shop] = [pagesOf('https://acme.example.com'), pagesOf('https://shop.example.com')];
  const login: AccountLogin = {
    subject: 'alice',
    authTime: Math.floor(Date.now() / 1000),
    idToken: 'an.id.token',
    isKept: false,
  };
  const [cookie = ''] = accountCookies(acme).session.set(login).split(';');
  const openedAt = (services: Services) =>
    accountContextOf(services, new Request(new URL('/account', services.settings.uiUrl), { headers: { cookie } }));
  expect(await openedAt(acme)).toMatchObject({ login });
  expect(await openedAt(shop)).toBeUndefined();
});
