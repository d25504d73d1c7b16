import type { Accounts } from '@carnet/accounts';
import { AccountsError } from '@carnet/accounts/client';
import { expect, it } from 'vitest';
import { createBrowser } from '../../test/browser.ts';
import { createTestServices, origin } from '../../test/services.ts';
import { createStandInProviders, signedIn } from '../../test/stand-in-providers.ts';
import type { SessionsApi } from '../api/sessions-api.ts';
import type { AccountClient } from './account-client.ts';
import { accountCookies } from './account-session.ts';

const atIssuer = 'https://id.example.com/oauth2/auth';

/** The account page of the user `u1`, who signed in this many seconds ago, or at an unknown time. */
const open = (ageSeconds: number | 'unknown' = 0, profile: object = {}) => {
  const providers = createStandInProviders();
  const show = { user: { subject: 'u1', name: 'Ada' }, claims: {}, can: {}, ...profile };
  const accounts = {
    settings: async () => ({ factorKinds: [] }),
    account: { show: async () => show },
    factors: { list: async () => ({ factors: [] }) },
    providers,
  } as unknown as Accounts;
  const accountClient = {
    begin: async () => ({
      url: atIssuer,
      checks: { state: 's', nonce: 'n', codeVerifier: 'v', returnPath: '/account' },
    }),
  } as unknown as AccountClient;
  const sessionsApi = { sessions: async () => [], clients: async () => [] } as unknown as SessionsApi;
  const { services } = createTestServices(accounts, { accountClient, sessionsApi });
  const browser = createBrowser(services);
  const signIn = (subject: string) => {
    const issuedAt = Math.floor(Date.now() / 1000);
    const authTime = ageSeconds === 'unknown' ? 0 : issuedAt - ageSeconds;
    const login = { subject, authTime, issuedAt, idToken: 'an.id.token', isKept: false };
    const cookie = accountCookies(services).session.set(login);
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    browser.cookies.set(name, value);
  };
  signIn('u1');
  /** Connects Google; returns the callback with this code. */
  const connect = async () => {
    const page = await browser.get(`${origin}/account/providers/add?provider=google`);
    const { location = '' } = await browser.submit(page, {}, 'id="accept"');
    const state = new URL(location).searchParams.get('state') ?? '';
    return (code: string) => `${origin}/login/provider/google?${new URLSearchParams({ code, state })}`;
  };
  return { browser, connect, providers, services, signIn };
};

const identity = { id: 'i1', provider: 'google', label: 'Google', shown: 'ada@gmail.com', linkedAt: new Date(0) };

it('the account page lists the identities of the user, and the providers that are not connected yet', async () => {
  const { browser, providers } = open();
  providers.linked.push(identity);
  const { html } = await browser.get(`${origin}/account`);
  expect(html).toContain('Sign-in providers');
  for (const text of ['ada@gmail.com', 'Connected Jan 1, 1970']) expect(html).toContain(text);
  expect(html).toContain('id="connect-corp" href="/account/providers/add?provider=corp"');
  expect(html).not.toContain('id="connect-google"');
});

it('the account page has no such section without providers, or with an earlier server', async () => {
  const { browser, services } = open();
  const refuse = async () => {
    throw new AccountsError('not_supported', 'off');
  };
  Object.assign(services.accounts.providers, { list: async () => ({ providers: [] }), identities: refuse });
  expect((await browser.get(`${origin}/account`)).html).not.toContain('Sign-in providers');
});

it('a provider is connected to the user who is signed in', async () => {
  const { browser, connect, providers } = open();
  const callback = await connect();
  expect(providers.begun).toMatchObject([{ provider: 'google', subject: 'u1', clientId: 'carnet-account' }]);
  const page = await browser.get(callback('good'));
  expect([page.status, page.title, page.url]).toEqual([200, 'Your account', `${origin}/account?saved=1#providers`]);
});

it('a provider is connected also if a sign-in with it would need a second factor', async () => {
  const { browser, connect, providers } = open();
  const { user } = signedIn;
  providers.results.set('factor', { state: 'factor', progress: 'p', user, kinds: ['totp'] });
  expect((await browser.get((await connect())('factor'))).title).toBe('Your account');
});

it('a provider is connected only after a fresh sign-in', async () => {
  const { browser, providers } = open(301);
  expect((await browser.get(`${origin}/account/providers/add?provider=google`)).location).toBe(atIssuer);
  expect((await browser.get(`${origin}/account/providers/remove?id=i1`)).location).toBe(atIssuer);
  expect(providers.begun).toEqual([]);
});

it('after a sign-in at a provider that does not tell its time, the user sees the account, and changes it after a fresh one', async () => {
  const { browser } = open('unknown', { sessionsEndedAt: new Date(Date.now() - 60_000) });
  const page = await browser.get(`${origin}/account`);
  expect(page.title).toBe('Your account');
  expect(page.html).not.toContain('1970');
  expect((await browser.get(`${origin}/account/providers/add?provider=google`)).location).toBe(atIssuer);
});

it('a sign-in at an unknown time ends with the sessions of the user', async () => {
  const { browser } = open('unknown', { sessionsEndedAt: new Date(Date.now() + 60_000) });
  expect((await browser.get(`${origin}/account`)).location).toBe(atIssuer);
});

it('a provider is not connected if another user is signed in meanwhile, or none', async () => {
  const { browser, connect, providers, signIn } = open();
  signIn('u1');
  const callback = await connect();
  signIn('u2');
  expect((await browser.get(callback('good'))).title).toBe('Nothing was connected');
  signIn('u1');
  const second = await connect();
  for (const name of [...browser.cookies.keys()]) if (name.endsWith('carnet_account')) browser.cookies.delete(name);
  expect((await browser.get(second('good'))).title).toBe('Nothing was connected');
  expect(providers.finished).toEqual([]);
});

it.each([
  ['denied', { state: 'denied' }],
  ['provider_failed', { state: 'provider_failed' }],
  ['that of another user', { ...signedIn, user: { subject: 'u2', name: 'Eve' } }],
  ['sign_up', { state: 'sign_up', progress: 'p', user: signedIn.user }],
  ['refused', { state: 'refused' }],
] as const)('the page tells the user that nothing was connected: %s', async (_name, result) => {
  const { browser, connect, providers } = open();
  providers.results.set('code', result);
  const page = await browser.get((await connect())('code'));
  expect([page.status, page.title]).toEqual([401, 'Nothing was connected']);
  expect(page.html).not.toContain('code=code');
});

it('an identity is removed, but not the last way to sign in', async () => {
  const { browser, providers } = open();
  providers.linked.push(identity, { ...identity, id: 'i2', label: 'Corp' });
  const remove = async (id: string) =>
    browser.submit(await browser.get(`${origin}/account/providers/remove?id=${id}`), {}, 'id="accept"');
  expect((await remove('i2')).url).toContain('saved=1#providers');
  const kept = await remove('i1');
  expect([kept.status, kept.title]).toEqual([409, 'This is your only way to sign in']);
  expect(providers.linked).toEqual([identity]);
});
