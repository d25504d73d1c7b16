import type { Page } from 'playwright-core';
import { totpCode } from '../../../packages/accounts/test/totp-code.ts';
import type { Mailbox } from '../mailbox.ts';
import type { Stack } from '../stack.ts';
import { enter, goToLogin, shows, submit } from '../steps.ts';

export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

let count = 0;

export const newUser = (): NewUser => {
  count += 1;
  return { email: `user${count}@example.com`, password: `a long password ${count}`, name: `User Number ${count}` };
};

/** From the sign-in page: creates an account, and comes to the page after the sign-in. */
export const signUp = async (page: Page, mailbox: Mailbox, user: NewUser): Promise<void> => {
  await page.click('#sign-up');
  await submit(page, { email: user.email, name: user.name, password: user.password });
  await shows(page, 'Check your email');
  await page.goto(await mailbox.linkFor(user.email));
  await page.click('#accept');
};

/** Opens the account page in a browser in which the user is not signed in. */
export const signInToAccount = async (
  page: Page,
  { ui }: Pick<Stack, 'ui'>,
  user: Pick<NewUser, 'email' | 'password'>,
): Promise<void> => {
  await page.goto(`${ui}/account`);
  await enter(page, user);
  await shows(page, 'Your account');
};

/** Sends a form of the account pages, which reports that the change is saved. */
export const save = async (page: Page, fields: Readonly<Record<string, string>> = {}): Promise<void> => {
  await submit(page, fields);
  await page.locator('#saved').waitFor();
};

/** Creates a user by the admin API, and opens the account page with a sign-in that is remembered. */
export const openAccount = async (page: Page, { ui, admin }: Stack): Promise<NewUser> => {
  const user = newUser();
  const { email, password, name } = user;
  const body = JSON.stringify({ email, email_verified: true, password, claims: { name } });
  const created = await fetch(`${admin}/admin/users`, { method: 'POST', body });
  if (created.status !== 201) throw new Error(`no user was created: ${created.status} ${await created.text()}`);
  await page.goto(`${ui}/account`);
  await shows(page, 'Sign in');
  await page.check('#remember');
  await enter(page, user);
  await shows(page, 'Your account');
  return user;
};

/** The key on the page of a new authenticator app. */
export const shownKey = async (page: Page): Promise<string> =>
  ((await page.locator('#secret').textContent()) ?? '').replaceAll(/\s/g, '');

/** On the account page: begins to add an authenticator app, and returns its key. */
export const beginAuthenticator = async (page: Page): Promise<string> => {
  await page.click('#add-totp');
  await page.click('#add-totp');
  await shows(page, 'Set up your authenticator app');
  return shownKey(page);
};

export interface Authenticator {
  readonly key: string;
  readonly recoveryCodes: readonly string[];
}

/** On the account page: adds an authenticator app, and comes back with its key and the recovery codes. */
export const addAuthenticator = async (page: Page, stack: Stack): Promise<Authenticator> => {
  const key = await beginAuthenticator(page);
  await submit(page, { code: '000000' });
  await page.locator('#message').waitFor();
  await submit(page, { code: totpCode(key, stack.now()) });
  await shows(page, 'Save your recovery codes');
  const recoveryCodes = await page.locator('.recovery-codes li').allTextContents();
  await page.click('#continue');
  await shows(page, 'Your account');
  // The next sign-in needs a code that was not used yet.
  stack.passTime(31);
  return { key, recoveryCodes };
};

/** From the application to the page that asks for the second factor. */
export const goToFactor = async (page: Page, stack: Stack, user: NewUser): Promise<void> => {
  await goToLogin(page, stack);
  await enter(page, user);
  await shows(page, 'Confirm that it is you');
};
