import type { Page } from 'playwright-core';
import { startDevice } from '../device.ts';
import type { Stack } from '../stack.ts';
import { dana, enter, submit } from '../steps.ts';

/** From the page before to the next page, which is then checked. Texts are in the language of the browser: use ids. */
export type Step<S = Stack> = readonly [page: string, go: (page: Page, stack: S) => Promise<unknown>];

export interface Journey<S = Stack> {
  readonly name: string;
  readonly steps: readonly Step<S>[];
}

/** Clicks, and waits for the page that has this element. */
export const click = (selector: string, next: string) => async (page: Page) => {
  await page.click(selector);
  await page.waitForSelector(next);
};

/** Opens a page of the UI, and waits for its element. */
export const open =
  (path: string, selector = 'h1') =>
  async (page: Page, { ui }: Stack) => {
    await page.goto(`${ui}${path}`);
    await page.waitForSelector(selector);
  };

/** Fills a form and sends it, and waits for the page that has this element. */
export const send = (fields: Readonly<Record<string, string>>, next: string) => async (page: Page) => {
  await submit(page, fields);
  await page.waitForSelector(next);
};

const toLogin = async (page: Page, { application }: Stack) => {
  await page.goto(application);
  await click('#sign-in', '#password')(page);
};

const toConsent = async (page: Page) => {
  // A session that lasts, so that there is one to end.
  await page.check('#remember');
  await enter(page, dana);
  await page.waitForSelector('#openid');
};

const toLogout = async (page: Page, { issuer }: Stack) => {
  await click('#accept', '#id-token')(page);
  await page.goto(`${issuer}/oauth2/sessions/logout`);
  await page.waitForSelector('#reject');
};

const toAccounts = async (page: Page, stack: Stack) => {
  await toLogin(page, stack);
  await toConsent(page);
  await page.goto(`${stack.issuer}/oauth2/sessions/logout`);
  if (await page.isVisible('#accept')) await page.click('#accept');
  await page.waitForURL((url) => url.pathname !== '/logout');
  await page.goto(stack.application);
  await click('#sign-in', '.accounts')(page);
};

const toDeviceLink = async (page: Page, stack: Stack) => {
  await page.goto((await startDevice(stack)).link);
  await page.waitForSelector('#verify');
};

const toWrongCode = async (page: Page, stack: Stack) => {
  await toDeviceLink(page, stack);
  await page.fill('#user_code', 'BBBB-BBBB');
  await click('#verify', '#message')(page);
};

const toCode = async (page: Page, { issuer }: Stack) => {
  await page.goto(`${issuer}/oauth2/device/verify`);
  await page.waitForSelector('#verify');
};

const toDeviceConsent = async (page: Page, stack: Stack) => {
  await page.fill('#user_code', (await startDevice(stack)).code);
  await click('#verify', '#password')(page);
  await enter(page, dana);
  await page.waitForSelector('#device-caution');
};

const toConnected = async (page: Page) => {
  await page.click('#accept');
  await page.waitForURL(/\/device\/success/);
};

const toOldForm = async (page: Page, stack: Stack) => {
  await toLogin(page, stack);
  await page.context().clearCookies();
  await enter(page, dana);
  await page.waitForSelector('#retry');
};

const error = '/error?error=access_denied&error_description=The+user+denied+the+request.&request_id=OpmIqKCR-44';

/** Every page of the UI in every state. A new page gets a row here. */
export const journeys: readonly Journey[] = [
  {
    name: 'sign-in and sign-out',
    steps: [
      ['sign-in', toLogin],
      ['a wrong password', send({ email: 'absent@example.com', password: 'not-the-password' }, '#message')],
      ['consent', toConsent],
      ['sign-out', toLogout],
      ['still signed in', click('#reject', 'main:not(:has(#accept))')],
    ],
  },
  {
    name: 'accounts of the browser',
    steps: [
      ['sign-in with a remembered account', toAccounts],
      ['password of a chosen account', click('.accounts .plain', '#password')],
      ['another account', click('#another', '#email:visible')],
    ],
  },
  {
    name: 'device',
    steps: [
      ['code of a link', toDeviceLink],
      ['not my device', click('#reject', 'main:not(:has(#verify))')],
      ['wrong code', toWrongCode],
      ['code', toCode],
      ['consent for a device', toDeviceConsent],
      ['connected', toConnected],
    ],
  },
  {
    name: 'notices',
    steps: [
      ['home', open('/')],
      ['signed out', open('/account/signed-out')],
      ['error of a client', open(error)],
      ['a link that is not valid', open('/login')],
      ['a page that does not exist', open('/nowhere')],
      ['a form that is out of date', toOldForm],
    ],
  },
];
