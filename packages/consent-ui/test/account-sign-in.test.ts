import { expect, it } from 'vitest';
import { createUser, openTestAccounts, testOptions, useDatabases } from '../../accounts/test/open-test-accounts.ts';
import type { AccountClient, BeginOptions } from '../src/account/account-client.ts';
import type { SessionsApi } from '../src/api/sessions-api.ts';
import { createBrowser } from './browser.ts';
import { createTestServices, origin } from './services.ts';

const databases = useDatabases();

const atProvider = 'https://id.example.com/oauth2/auth';
const endedAt = Date.parse('2026-11-23T12:00:00.500Z');
const sid = 's1';

/** The browser of a user who comes back from a provider that has one session, with a login of this time. */
const comeBack = async (authTime: number) => {
  const database = await databases.createUrl('sqlite');
  const subject = await createUser(database);
  const { accounts } = await openTestAccounts(testOptions({ database }), { sessionsEndedAt: async () => endedAt });
  const begun: BeginOptions[] = [];
  const accountClient = {
    begin: async (options) => {
      begun.push(options);
      return { url: atProvider, checks: { ...options, state: 's', nonce: 'n', codeVerifier: 'v' } };
    },
    finish: async () => ({ subject, authTime, sid, idToken: 'an.id.token' }),
    endSessionUrl: async () => atProvider,
  } satisfies AccountClient;
  const sessionsApi = {
    sessions: async () => [{ sid, authenticated_at: new Date(authTime * 1000).toISOString() }],
    clients: async () => [],
  } satisfies Partial<SessionsApi> as unknown as SessionsApi;
  const { services } = createTestServices(accounts, { accountClient, sessionsApi });
  const browser = createBrowser(services);
  expect((await browser.get(`${origin}/account`)).location).toBe(atProvider);
  return { page: await browser.get(`${origin}/account/callback?code=c&state=s`), begun };
};

it('the account page opens after a login from after the end of the sessions of the user', async () => {
  const { page, begun } = await comeBack(endedAt / 1000 + 1);
  expect([page.status, page.title]).toEqual([200, 'Your account']);
  expect(begun).toHaveLength(1);
});

it('the account page asks for a new login if the provider remembers one from before the end of the sessions', async () => {
  const { page, begun } = await comeBack(endedAt / 1000 - 1);
  expect(page.location).toBe(atProvider);
  expect(begun).toEqual([
    expect.not.objectContaining({ mustSignIn: true }),
    expect.objectContaining({ mustSignIn: true, returnPath: '/account' }),
  ]);
});
