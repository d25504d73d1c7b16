import type { BrowserContext, Page } from 'playwright-core';
import type { Stack } from './stack.ts';

export interface User {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly subject: string;
}

/** The users of `users.json`. */
export const dana: User = {
  email: 'demo@example.com',
  password: 'carnet-demo',
  name: 'Dana Moreno',
  subject: 'b7c1f3a2-5d0e-4c86-9a57-2f1e6d8b9c01',
};
export const grace: User = {
  email: 'grace@example.com',
  password: 'carnet-demo-2',
  name: 'Grace Okafor',
  subject: '0e6a4d18-93b5-4f2a-8c7d-71d5a0b3e902',
};

/**
 * The names of the cookies of a browser, without that of the device: it remembers a browser in which a user has signed in,
 * and signs no user in.
 */
export const cookieNames = async (context: BrowserContext): Promise<readonly string[]> =>
  (await context.cookies()).map(({ name }) => name).filter((name) => name !== 'carnet_device');

/** Waits until the page is the one with this heading. */
export const shows = async (page: Page, heading: string): Promise<void> => {
  const wanted = page.getByRole('heading', { level: 1, name: heading, exact: true });
  await wanted.waitFor().catch(async () => {
    const found = await page.locator('h1').allTextContents();
    throw new Error(`not "${heading}" but "${found.join()}" at ${page.url().split('?', 1)[0]}`);
  });
};

/** From the application to the page that the provider asks to log people in. */
export const goToLogin = async (page: Page, { application }: Pick<Stack, 'application'>): Promise<void> => {
  await page.goto(application);
  await page.click('#sign-in');
  await shows(page, 'Sign in');
};

/** Fills the fields with these ids and sends the form. */
export const submit = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [id, value] of Object.entries(fields)) await page.fill(`#${id}`, value);
  await page.click('#accept');
};

/** On the login page: fills the form and sends it. */
export const enter = (page: Page, { email, password }: Pick<User, 'email' | 'password'>): Promise<void> =>
  submit(page, { email, password });

/** On the page with the accounts of the browser: goes to the form for another one. */
export const useAnother = async (page: Page): Promise<void> => {
  await shows(page, 'Choose an account');
  await page.click('#another');
  await shows(page, 'Sign in');
};

/** On the login page: logs in and comes to the consent page. */
export const logIn = async (page: Page, user: User): Promise<void> => {
  await enter(page, user);
  await shows(page, 'Allow access?');
};

/** On the consent page: allows it and comes back to the application, signed in. */
export const allow = async (page: Page, user: User): Promise<void> => {
  await page.click('#accept');
  await shows(page, `Hello, ${user.name}`);
};

/** The whole way, from the application and back to it. */
export const signIn = async (page: Page, stack: Pick<Stack, 'application'>, user: User): Promise<void> => {
  await goToLogin(page, stack);
  await logIn(page, user);
  await allow(page, user);
};

export type Table = 'id-token' | 'userinfo' | 'tokens';

/** What the application shows of the user or of its tokens. */
export const tableOf = async (page: Page, id: Table): Promise<Record<string, string>> => {
  const rows = await page.locator(`#${id} tr`).all();
  const cells = rows.map(async (row) => [await row.locator('th').textContent(), await row.locator('td').textContent()]);
  return Object.fromEntries(await Promise.all(cells));
};

/** From a page that says the sign-in is over to being signed in. */
export const startAgain = async (page: Page): Promise<void> => {
  await shows(page, 'This sign-in has expired');
  await page.click('#start-again');
  await shows(page, 'Sign in');
  await logIn(page, grace);
  await page.click('#accept');
  // The application takes each of its requests' answers once, as it should, and has had this one's.
  await shows(page, 'Sign-in did not work');
  await page.click('#try-again');
  await shows(page, 'Sign in');
  await logIn(page, grace);
  await allow(page, grace);
};

/** Signs in as Dana, ticking both boxes that say so. Grace's consent is never remembered here. */
export const signInRemembered = async (page: Page, stack: Stack): Promise<void> => {
  await goToLogin(page, stack);
  await page.check('#remember');
  await logIn(page, dana);
  await page.check('#remember');
  await allow(page, dana);
};

/** The application forgets the user; the provider does not. */
export const returnLater = async (page: Page, stack: Stack): Promise<void> => {
  await page.context().clearCookies({ name: 'relying_party' });
  await page.goto(stack.application);
  await shows(page, 'Carnet demo');
  await page.click('#sign-in');
};

/** The lifetime of a flow, and half a minute by which two clocks may differ. */
const tooLongSeconds = 1_800 + 31;

/** Lets more time pass for the servers than a flow lives, and takes from the browser the cookies that would have run out. */
export const leaveOpen = async (stack: Stack, context: BrowserContext): Promise<void> => {
  stack.passTime(tooLongSeconds);
  const end = Date.now() / 1000 + tooLongSeconds;
  for (const { name, expires } of await context.cookies()) {
    if (expires !== -1 && expires <= end) await context.clearCookies({ name });
  }
};
