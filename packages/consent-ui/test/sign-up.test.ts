import type { AccountsOptions } from '@carnet/accounts';
import { expect, it } from 'vitest';
import { mailAt, openWithMail, tokenIn } from '../../accounts/test/mailbox.ts';
import { organizationsOf, useDatabases } from '../../accounts/test/open-test-accounts.ts';
import type { LoginRequest } from '../src/api/wire.ts';
import { defaultUi } from '../src/page/ui.ts';
import type { Services } from '../src/services.ts';
import { createBrowser, type OpenedPage, type TestBrowser } from './browser.ts';
import { createTestServices, origin } from './services.ts';

const databases = useDatabases();
const user = { email: 'grace@example.com', password: 'a long enough password', name: 'Grace' };
const start = `${origin}/sign-up?login_challenge=c1`;
const confirmUrl = `${origin}/sign-up/confirm`;

const open = async (
  members: Partial<Services> = {},
  options: Partial<AccountsOptions> = {},
  asked: Partial<LoginRequest> = {},
) => {
  const { accounts, mailbox } = await openWithMail(await databases.createUrl('sqlite'), options);
  const { services, accepted } = createTestServices(accounts, members, asked);
  const newBrowser = () => createBrowser(services);
  /** The page of the link in the email with this number. */
  const follow = async (browser: TestBrowser, index = 0): Promise<OpenedPage> =>
    browser.get(`${confirmUrl}?token=${tokenIn(await mailAt(mailbox, index), confirmUrl)}`);
  return { services, accepted, mailbox, newBrowser, follow };
};

it('the browser that sent the form is signed in by the confirmation, without a second entry of the password', async () => {
  const { accepted, newBrowser, follow } = await open();
  const browser = newBrowser();
  await browser.submit(await browser.get(start), user, 'id="email"');
  const done = await browser.submit(await follow(browser), {});
  expect(done.location).toContain('login_verifier');
  expect(accepted).toMatchObject([{ challenge: 'c1', body: { remember: false, amr: ['pwd'] } }]);
  expect([...browser.cookies.keys()].filter((name) => name.includes('sign_up'))).toEqual([]);
});

it('the password may be left empty if users sign in by email, and the confirmation signs the browser in', async () => {
  const { accepted, newBrowser, follow } = await open({}, { emailSignIn: { enabled: true } });
  const browser = newBrowser();
  const form = await browser.get(start);
  expect(form.html).not.toMatch(/<input id="password"[^>]* required/);
  await browser.submit(form, { ...user, password: '' }, 'id="email"');
  const done = await browser.submit(await follow(browser), {});
  expect(done.location).toContain('login_verifier');
  expect(accepted).toMatchObject([{ challenge: 'c1', body: { amr: ['otp'] } }]);
});

it('an empty password is refused if users need one', async () => {
  const { newBrowser } = await open();
  const browser = newBrowser();
  const form = await browser.get(start);
  expect(form.html).toMatch(/<input id="password"[^>]* required/);
  expect((await browser.submit(form, { ...user, password: '' }, 'id="email"')).status).toBe(400);
});

it('a new user is no member of the organization of the request', async () => {
  const organizations = organizationsOf({ name: 'acme', displayName: 'Acme', members: { groups: ['acme'] } });
  const request_url = 'https://id.example.com/oauth2/auth?organization=acme';
  const { accepted, newBrowser, follow } = await open({}, { organizations }, { request_url });
  const browser = newBrowser();
  await browser.submit(await browser.get(start), user, 'id="email"');
  await browser.submit(await follow(browser), {});
  expect(accepted).toMatchObject([{ challenge: 'c1', body: { error: 'access_denied' } }]);
});

it('another browser chooses a password, and finds the sign-in form filled', async () => {
  const { accepted, newBrowser, follow } = await open();
  const [computer, phone] = [newBrowser(), newBrowser()];
  await computer.submit(await computer.get(start), user, 'id="email"');
  const ready = await phone.submit(await follow(phone), { password: 'chosen by the owner' });
  expect([ready.title, accepted.length]).toEqual(['Your account is ready', 0]);
  const signIn = await phone.get(`${origin}/login?login_challenge=c2`);
  expect(signIn.html).toMatch(/<input id="email"[^>]* value="grace@example.com"/);
});

it('the page after the form sends the message again, and leads back to the filled form', async () => {
  const { mailbox, newBrowser, follow } = await open();
  const browser = newBrowser();
  const sent = await browser.submit(await browser.get(start), user, 'id="email"');
  expect(sent.html).not.toContain(user.password);
  const again = await browser.submit(sent, { decision: 'resend' }, 'id="resend"');
  expect(again.title).toBe('Check your email');
  expect((await mailAt(mailbox, 1)).recipients).toEqual([user.email]);
  expect(sent.html).toContain('href="/sign-up?login_challenge=c1"');
  const back = await browser.get(start);
  for (const value of ['grace@example.com', 'Grace']) expect(back.html).toContain(`value="${value}"`);
  expect((await browser.submit(await follow(browser, 1), {})).location).toContain('login_verifier');
});

it('"Resend" shows the form if the form was not sent before', async () => {
  const { newBrowser, mailbox } = await open();
  const browser = newBrowser();
  const sent = await browser.submit(await browser.get(start), user, 'id="email"');
  await mailAt(mailbox, 0);
  for (const name of [...browser.cookies.keys()]) if (name.includes('sign_up_form')) browser.cookies.delete(name);
  const form = await browser.submit(sent, { decision: 'resend' }, 'id="resend"');
  expect([form.title, mailbox.received.length]).toEqual(['Create an account', 1]);
});

it('a sign-in that has expired in the meantime is begun anew, with the form filled', async () => {
  const { services, newBrowser, follow } = await open();
  const browser = newBrowser();
  await browser.submit(await browser.get(start), user, 'id="email"');
  const page = await follow(browser);
  const login = { ...services.api.login, find: async () => ({ state: 'unknown' }) as const };
  Object.assign(services.api, { login });
  expect((await browser.submit(page, {})).title).toBe('Your account is ready');
});

it('a sign-up needs the accepted terms if the operator asks for them', async () => {
  const links = { terms: 'https://example.com/terms', privacy: 'https://example.com/privacy' };
  const ui = { ...defaultUi, secureCookies: true, links, mustAcceptTerms: true };
  const { mailbox, newBrowser } = await open({ ui });
  const browser = newBrowser();
  const form = await browser.get(`${origin}/sign-up`);
  expect(form.html).toContain('href="https://example.com/terms"');
  const refused = await browser.submit(form, user, 'id="email"');
  expect([refused.status, mailbox.received.length]).toEqual([400, 0]);
  expect(refused.html).toContain('Accept the terms of service to create an account.');
  const sent = await browser.submit(refused, { ...user, terms: '1' }, 'id="email"');
  expect(sent.html).toContain('Check your email');
});
