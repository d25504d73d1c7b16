import { expect, it } from 'vitest';
import {
  createUser,
  enrolTotp,
  openTestAccounts,
  password,
  setUserState,
  testOptions,
  useDatabases,
} from '../../accounts/test/open-test-accounts.ts';
import { totpCode } from '../../accounts/test/totp-code.ts';
import type { SessionsApi } from '../src/api/sessions-api.ts';
import { createBrowser, textOf } from './browser.ts';
import { createTestServices, origin } from './services.ts';

const databases = useDatabases();
const login = 'ada@example.com';
const challenge = 'c1';
const start = `${origin}/login?login_challenge=${challenge}`;

/** Accounts with the user Ada, and a browser that has entered her password. */
const open = async (policy: 'optional' | 'required' | 'phishing_resistant' = 'optional', withTotp = false) => {
  const database = await databases.createUrl('sqlite');
  const subject = await createUser(database);
  const options = testOptions({ database });
  const test = await openTestAccounts({ ...options, secondFactors: { ...options.secondFactors, policy } });
  const secret = withTotp ? await enrolTotp(test, subject) : '';
  const { services, accepted } = createTestServices(test.accounts);
  const browser = createBrowser(services);
  /** From the second time on, the page offers the account of the first time. */
  const enter = async (url = start) =>
    browser.submit(await browser.get(url), { email: login, password, remember: '1' }, 'id="email"');
  return { ...test, accepted, browser, enter, secret, subject };
};

it('a remembered login ends once the user is disabled, and the request begins again', async () => {
  const database = await databases.createUrl('sqlite');
  const subject = await createUser(database);
  const { accounts } = await openTestAccounts(testOptions({ database }));
  const ended: string[] = [];
  const sessionsApi = { endSessions: async (of: string) => void ended.push(of) } as unknown as SessionsApi;
  const request_url = 'https://id.example.com/oauth2/auth?clientId=shop';
  const { services, accepted } = createTestServices(accounts, { sessionsApi }, { skip: true, subject, request_url });
  const visit = () => createBrowser(services).get(start);
  expect((await visit()).location).toContain('login_verifier');
  await setUserState(database, subject, 'disabled');
  expect((await visit()).location).toBe(request_url);
  expect([ended, accepted.length]).toEqual([[subject], 1]);
});

it('a user without factors is signed in after the password', async () => {
  const { accepted, enter, subject } = await open();
  expect((await enter()).location).toContain('login_verifier');
  expect(accepted).toEqual([
    {
      challenge,
      body: { subject, remember: true, remember_for: 60, acr: 'urn:carnet:1fa', amr: ['pwd'] },
    },
  ]);
});

it('a user with an authenticator app enters a code, and has no progress in any URL', async () => {
  const { accepted, browser, clock, enter, secret, subject } = await open('optional', true);
  const asked = await enter();
  expect(asked).toMatchObject({ status: 200, title: 'Confirm that it is you', url: start });
  expect(asked.html).toMatch(/id="code"[^>]*autoComplete="one-time-code"/i);
  const wrong = await browser.submit(asked, { code: '00 00 00' }, 'id="code"');
  expect(wrong).toMatchObject({ status: 401, title: 'Confirm that it is you' });
  expect(wrong.html).toContain('aria-invalid="true"');
  const code = totpCode(secret, clock.now);
  const done = await browser.submit(wrong, { code: `${code.slice(0, 3)} ${code.slice(3)}` }, 'id="code"');
  expect(done.location).toContain('login_verifier');
  expect(accepted).toMatchObject([
    { body: { subject, remember: true, acr: 'urn:carnet:2fa', amr: ['pwd', 'otp', 'mfa'] } },
  ]);
});

it('a browser that has signed in is not locked by wrong passwords from elsewhere', async () => {
  const { accepted, accounts, browser, enter } = await open();
  await enter();
  const [name = '', ...others] = [...browser.cookies.keys()].filter((each) => each.includes('device'));
  expect([name, others]).toEqual(['__Host-carnet_device', []]);
  for (let guess = 0; guess < 12; guess += 1)
    await accounts.signIn.password({ login, password: 'wrong password', binding: 'c2' });
  const again = `${start}&account=other`;
  expect((await enter(again)).location).toContain('login_verifier');
  browser.cookies.delete(name);
  expect((await enter(again)).location).toBeUndefined();
  expect(accepted).toHaveLength(2);
});

it('progress belongs to its login request', async () => {
  const { accepted, browser, clock, enter, secret } = await open('optional', true);
  const asked = await enter();
  const other = await browser.get(`${origin}/login?login_challenge=c2&account=other`);
  const progress = /name="progress" value="([^"]*)"/.exec(asked.html)?.[1] ?? '';
  const shown = JSON.stringify({ name: 'Ada', kinds: ['totp'], required: true });
  const moved = { ...other, html: other.html.replace('action="/login?', 'action="/login/factor?') };
  const fields = { progress, shown, kind: 'totp', code: totpCode(secret, clock.now) };
  expect(await browser.submit(moved, fields, 'id="email"')).toMatchObject({ status: 401 });
  expect(accepted).toEqual([]);
});

it('a sign-in that took too long starts again, with the same login request', async () => {
  const { browser, clock, enter, secret } = await open('optional', true);
  const asked = await enter();
  clock.now += 11 * 60_000;
  const expired = await browser.submit(asked, { code: totpCode(secret, clock.now) }, 'id="code"');
  expect(expired).toMatchObject({ status: 401, title: 'This sign-in took too long' });
  expect(expired.html).toContain(`id="start-again" href="/login?login_challenge=${challenge}"`);
});

it('codes are limited, and the page reports how long', async () => {
  const { browser, enter } = await open('optional', true);
  let page = await enter();
  for (let attempt = 0; page.title === 'Confirm that it is you' && attempt < 20; attempt += 1) {
    page = await browser.submit(page, { code: '000000' }, 'id="code"');
  }
  expect(page).toMatchObject({ status: 429, title: 'Too many attempts' });
});

it('a user who needs a factor enrols an app, saves recovery codes, and is signed in with two factors', async () => {
  const { accepted, accounts, browser, clock, enter, subject } = await open('required');
  const choice = await enter();
  expect(choice.title).toBe('Protect your account');
  expect(choice.html).not.toContain('id="skip"');
  const app = await browser.submit(choice, { step: 'totp' });
  expect(app.html).toContain('<svg class="qr-code"');
  const key = textOf(app, 'secret').replaceAll(' ', '');
  const wrong = await browser.submit(app, { code: '123' });
  expect(wrong).toMatchObject({ status: 400, title: app.title });
  expect(textOf(wrong, 'secret').replaceAll(' ', '')).toBe(key);
  const codes = await browser.submit(wrong, { code: totpCode(key, clock.now) });
  expect(codes.title).toBe('Save your recovery codes');
  const [recoveryCode = ''] = /<li><code>([^<]+)</.exec(codes.html)?.slice(1) ?? [];
  expect((await browser.submit(codes, {})).location).toContain('login_verifier');
  expect(accepted).toMatchObject([{ body: { subject, acr: 'urn:carnet:2fa' } }]);
  const { factors } = await accounts.factors.list({ owner: { subject } });
  expect(factors.map(({ kind }) => kind).toSorted()).toEqual(['recovery_code', 'totp']);

  const asked = await enter(`${start}&account=other`);
  const other = await browser.submit(asked, { choose: 'recovery_code' });
  await browser.submit(other, { code: recoveryCode }, 'id="code"');
  expect(accepted).toHaveLength(2);
});

it('a user who must have a passkey is offered nothing else', async () => {
  const { browser, enter } = await open('phishing_resistant');
  const choice = await enter();
  expect(choice.html).toContain('id="add-passkey"');
  expect(choice.html).not.toContain('id="add-totp"');
  const page = await browser.submit(choice, { step: 'passkey' });
  expect(page.html).toMatch(/<form id="passkey" hidden="" data-passkey="create"/);
  expect(page.html).toContain('data-without-passkeys');
});

it('a result of a passkey that nothing asked for is refused', async () => {
  const { accepted, browser } = await open();
  const page = await browser.get(start);
  const refused = await browser.submit(page, { challenge: 'made-up', response: '{"id":"x"}' }, 'id="passkey"');
  expect(refused.status).toBe(401);
  expect(accepted).toEqual([]);
});

it('a page in the middle of a sign-in that is opened again leads to its beginning', async () => {
  const { browser } = await open();
  for (const page of ['factor', 'enrol', 'passkey', 'new-password']) {
    const again = await browser.get(`${origin}/login/${page}?login_challenge=${challenge}`);
    expect(again.url).toBe(start);
  }
});
