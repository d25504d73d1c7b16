import { describe, expect, it } from 'vitest';
import {
  createUser,
  fileDirectory,
  openTestAccounts,
  organizationsOf,
  password,
  testOptions,
  useDatabases,
} from '../../accounts/test/open-test-accounts.ts';
import type { SessionsApi } from '../src/api/sessions-api.ts';
import type { LoginRequest } from '../src/api/wire.ts';
import { createRememberedAccounts } from '../src/chooser/remembered-accounts.ts';
import { createBrowser } from './browser.ts';
import { createTestServices, origin } from './services.ts';

const databases = useDatabases();
const login = 'ada@example.com';
const start = `${origin}/login?login_challenge=c1`;
const logo = 'https://acme.example/logo.svg';
const requestUrl = (query = '') => `https://id.example.com/oauth2/auth?client_id=shop${query}`;

/** The user Ada in these groups, a browser, and a login request with this query. */
const open = async (groups: readonly string[], query = '', asked: Partial<LoginRequest> = {}) => {
  const database = await databases.createUrl('sqlite');
  const subject = await createUser(database);
  const organizations = organizationsOf(
    { name: 'acme', displayName: 'Acme', members: { groups: ['acme'] }, brand: { logo, color: '#ffee00' } },
    { name: 'globex', displayName: 'Globex', members: { groups: ['globex'] } },
    { name: 'initech', displayName: 'Initech', directories: ['files'] },
  );
  const directories = [...testOptions().directories, await fileDirectory('files', 'f.', { email: 'bo@example.com' })];
  const test = await openTestAccounts(testOptions({ database, organizations, directories }));
  for (const name of groups) await test.accounts.groups.create({ name, members: [subject] });
  const sessions = async () => [{ sid: 's1', authenticated_at: '', acr: 'urn:carnet:1fa', amr: ['pwd'] }];
  const request = { request_url: requestUrl(query), subject: asked.skip ? subject : '', session_id: 's1', ...asked };
  const sessionsApi = { sessions } as unknown as SessionsApi;
  const { services, accepted } = createTestServices(test.accounts, { sessionsApi }, request);
  const browser = createBrowser(services);
  const enter = async (email = login) => browser.submit(await browser.get(start), { email, password }, 'id="email"');
  return { ...test, subject, services, browser, enter, decided: () => accepted.map(({ body }) => body) };
};

const both = ['acme', 'globex'];
const denied = { error: 'access_denied', error_description: 'The user is not a member of the organization.' };

describe('the sign-in of a member of several organizations', () => {
  it('asks for the organization, which goes to the consent', async () => {
    const ada = await open(both);
    const page = await ada.enter();
    expect(page.title).toBe('Choose an organization');
    expect(page.html).not.toContain('Initech');
    await ada.browser.submit(page, { organization: 'globex' }, 'value="globex"');
    expect(ada.decided()).toEqual([
      expect.objectContaining({ subject: ada.subject, context: { organization: 'globex' } }),
    ]);
  });

  it('a choice that was not offered is refused', async () => {
    const ada = await open(both);
    await ada.browser.submit(await ada.enter(), { organization: 'initech' }, 'value="globex"');
    expect(ada.decided()).toEqual([denied]);
  });
});

describe('a request with an organization', () => {
  it('signs in a member without a question, on pages in the look of the organization', async () => {
    const ada = await open(both, '&organization=acme');
    const { html } = await ada.browser.get(start);
    expect(html).toContain(`<img src="${logo}" alt="Acme" referrerPolicy="no-referrer"/>`);
    const { headers } = await (await import('../src/login/login.tsx')).showLogin(ada.services, new Request(start));
    expect(headers.get('content-security-policy')).toContain("img-src 'self' https://acme.example;");
    await ada.enter();
    expect(ada.decided()).toEqual([expect.objectContaining({ context: { organization: 'acme' } })]);
  });

  it('a user who is no member is refused, and so is an unknown organization', async () => {
    const ada = await open(['globex'], '&organization=acme');
    await ada.enter();
    expect(ada.decided()).toEqual([denied]);
    const unknown = await open(both, '&organization=unknown');
    expect((await unknown.browser.get(start)).location).toContain('login_verifier');
    const refusal = { error: 'invalid_request', error_description: 'The organization is unknown.' };
    expect(unknown.decided()).toEqual([refusal]);
  });

  it('the account of the chooser must be one of a member', async () => {
    const ada = await open(['globex'], '&organization=acme');
    const remembered = createRememberedAccounts(ada.services.cookies);
    const cookie = remembered.add(new Request(start), { login, name: 'Ada' }) ?? '';
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    ada.browser.cookies.set(name, value);
    const page = await ada.browser.submit(await ada.browser.get(start), { account: '0' }, 'name="account"');
    await ada.browser.submit(page, { email: login, password }, 'id="password"');
    expect(ada.decided()).toEqual([denied]);
  });

  it('checks no password of another directory', async () => {
    const ada = await open([], '&organization=initech');
    expect((await ada.enter()).status).toBe(401);
    await ada.enter('bo@example.com');
    expect(ada.decided()).toEqual([expect.objectContaining({ subject: 'f.u1', context: { organization: 'initech' } })]);
  });
});

describe('a remembered login', () => {
  const visit = async (groups: readonly string[], query = '') => {
    const ada = await open(groups, query, { skip: true });
    return { ...ada, page: await ada.browser.get(start) };
  };

  it('continues for the organization of the request, and signs in again for another one', async () => {
    const member = await visit(both, '&organization=acme');
    expect(member.decided()).toEqual([expect.objectContaining({ context: { organization: 'acme' } })]);
    const other = await visit(['globex'], '&organization=acme&prompt=consent');
    expect(other.page.location).toBe(requestUrl('&organization=acme&prompt=consent+login'));
    const none = await visit([]);
    expect(none.decided()).toEqual([{ subject: none.subject, remember: true, remember_for: 60 }]);
  });

  it('lets the user choose, and compares the choice', async () => {
    const ada = await visit(both);
    expect(ada.page.title).toBe('Choose an organization');
    const foreign = await ada.browser.submit(ada.page, { organization: 'initech' }, 'value="globex"');
    expect([foreign.location, ada.decided()]).toEqual([requestUrl('&prompt=login'), []]);
    await ada.browser.submit(ada.page, { organization: 'globex' }, 'value="globex"');
    expect(ada.decided()).toEqual([expect.objectContaining({ context: { organization: 'globex' } })]);
  });

  it.each([
    [['globex'], '&organization=acme', 'login_required'],
    [both, '', 'interaction_required'],
  ])('with prompt=none, of a member of %j, for "%s": %s', async (groups, query, error) => {
    const ada = await visit(groups, `${query}&prompt=none`);
    expect(ada.decided()).toEqual([expect.objectContaining({ error })]);
  });
});
