import type { Page } from 'playwright-core';
import { startDevice } from '../device.ts';
import type { Stack } from '../stack.ts';
import { dana } from '../steps.ts';

/** From the page before to the next page, which is then checked. Texts are in the language of the browser: use ids. */
export type Step = readonly [page: string, go: (page: Page, stack: Stack) => Promise<unknown>];

export interface Journey {
  readonly name: string;
  readonly steps: readonly Step[];
}

const enter = async (page: Page, { email, password }: { readonly email: string; readonly password: string }) => {
  await page.fill('#email', email);
  await page.fill('#password', password);
  await page.click('#accept');
};

const toLogin = async (page: Page, { application }: Stack) => {
  await page.goto(application);
  await page.click('#sign-in');
  await page.waitForSelector('#password');
};

const toWrongPassword = async (page: Page) => {
  await enter(page, { email: 'absent@example.com', password: 'not-the-password' });
  await page.waitForSelector('#message');
};

const toConsent = async (page: Page) => {
  // A session that lasts, so that there is one to end.
  await page.check('#remember');
  await enter(page, dana);
  await page.waitForSelector('#openid');
};

const at =
  (path: string, selector = 'h1') =>
  async (page: Page, { ui }: Stack) => {
    await page.goto(`${ui}${path}`);
    await page.waitForSelector(selector);
  };

/** Every page of the UI in every state. A new page gets a row here. */
export const journeys: readonly Journey[] = [
  {
    name: 'sign-in and sign-out',
    steps: [
      ['sign-in', toLogin],
      ['a wrong password', toWrongPassword],
      ['consent', toConsent],
      [
        'sign-out',
        async (page, { issuer }) => {
          await page.click('#accept');
          await page.waitForSelector('#id-token');
          await page.goto(`${issuer}/oauth2/sessions/logout`);
          await page.waitForSelector('#reject');
        },
      ],
      [
        'still signed in',
        async (page) => {
          await page.click('#reject');
          await page.waitForSelector('#accept', { state: 'detached' });
        },
      ],
    ],
  },
  {
    name: 'accounts of the browser',
    steps: [
      [
        'sign-in with a remembered account',
        async (page, stack) => {
          await toLogin(page, stack);
          await page.check('#remember');
          await enter(page, dana);
          await page.waitForSelector('#openid');
          await page.goto(`${stack.issuer}/oauth2/sessions/logout`);
          if (await page.isVisible('#accept')) await page.click('#accept');
          await page.waitForURL((url) => url.pathname !== '/logout');
          await page.goto(stack.application);
          await page.click('#sign-in');
          await page.waitForSelector('.accounts');
        },
      ],
      [
        'password of a chosen account',
        async (page) => {
          await page.click('.accounts .plain');
          await page.waitForSelector('#password');
        },
      ],
      [
        'another account',
        async (page) => {
          await page.click('#another');
          await page.waitForSelector('#email:visible');
        },
      ],
    ],
  },
  {
    name: 'device',
    steps: [
      [
        'code of a link',
        async (page, stack) => {
          await page.goto((await startDevice(stack)).link);
          await page.waitForSelector('#verify');
        },
      ],
      [
        'not my device',
        async (page) => {
          await page.click('#reject');
          await page.waitForSelector('#verify', { state: 'detached' });
        },
      ],
      [
        'wrong code',
        async (page, stack) => {
          await page.goto((await startDevice(stack)).link);
          await page.waitForSelector('#verify');
          await page.fill('#user_code', 'BBBB-BBBB');
          await page.click('#verify');
          await page.waitForSelector('#message');
        },
      ],
      [
        'code',
        async (page, { issuer }) => {
          await page.goto(`${issuer}/oauth2/device/verify`);
          await page.waitForSelector('#verify');
        },
      ],
      [
        'consent for a device',
        async (page, stack) => {
          await page.fill('#user_code', (await startDevice(stack)).code);
          await page.click('#verify');
          await page.waitForSelector('#password');
          await enter(page, dana);
          await page.waitForSelector('#device-caution');
        },
      ],
      [
        'connected',
        async (page) => {
          await page.click('#accept');
          await page.waitForURL(/\/device\/success/);
        },
      ],
    ],
  },
  {
    name: 'notices',
    steps: [
      ['home', at('/')],
      ['signed out', at('/account/signed-out')],
      [
        'error of a client',
        at('/error?error=access_denied&error_description=The+user+denied+the+request.&request_id=OpmIqKCR-44'),
      ],
      ['a link that is not valid', at('/login')],
      ['a page that does not exist', at('/nowhere')],
      [
        'a form that is out of date',
        async (page, stack) => {
          await toLogin(page, stack);
          await page.context().clearCookies();
          await enter(page, dana);
          await page.waitForSelector('#retry');
        },
      ],
    ],
  },
];
