import type { Page } from 'playwright-core';
import type { Mailbox } from '../mailbox.ts';
import { oneTimeCode } from '../one-time-code.ts';
import type { Stack } from '../stack.ts';
import { enter, goToLogin, shows } from '../steps.ts';

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
  await page.fill('#email', user.email);
  await page.fill('#name', user.name);
  await page.fill('#password', user.password);
  await page.click('#accept');
  await shows(page, 'Check your email');
  await page.goto(await mailbox.linkFor(user.email));
  await page.click('#accept');
};

/** Creates an account, and opens the account page with it. */
export const openAccount = async (page: Page, stack: Stack, mailbox: Mailbox): Promise<NewUser> => {
  const user = newUser();
  await page.goto(`${stack.ui}/account`);
  await shows(page, 'Sign in');
  await signUp(page, mailbox, user);
  await shows(page, 'Your account');
  await page.click('#sign-out');
  await page.click('#sign-in');
  await shows(page, 'Sign in');
  await page.check('#remember');
  await enter(page, user);
  await shows(page, 'Your account');
  return user;
};

export interface Authenticator {
  readonly key: string;
  readonly recoveryCodes: readonly string[];
}

/** On the account page: adds an authenticator app, and comes back with its key and the recovery codes. */
export const addAuthenticator = async (page: Page, stack: Stack): Promise<Authenticator> => {
  await page.click('#add-totp');
  await page.click('#add-totp');
  await shows(page, 'Set up your authenticator app');
  const key = (await page.locator('#secret').textContent()) ?? '';
  await page.fill('#code', '000000');
  await page.click('#accept');
  await page.locator('#message').waitFor();
  await page.fill('#code', oneTimeCode(key, stack.now()));
  await page.click('#accept');
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
