import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { click, type Step } from '../../../test/browser/accessibility/journeys.ts';
import { arabic, english, problemsOf } from '../../../test/browser/accessibility/wcag.ts';
import { launchChromium } from '../../../test/browser/chromium.ts';
import { mailAt, openWithMail } from '../../accounts/test/mailbox.ts';
import { password, testOptions, useDatabases } from '../../accounts/test/open-test-accounts.ts';
import { startAccountPages } from './chromium/account-pages.ts';
import { type Browser, openObservedPage, type PageOptions } from './chromium/observed-page.ts';

const databases = useDatabases();
let chromium: Browser;
beforeAll(async () => {
  chromium = await launchChromium();
});
afterAll(() => chromium.close());

/** A browser, and the path of the link of an invitation. */
const open = async (options: PageOptions = {}) => {
  const test = await openWithMail(await databases.createUrl('sqlite'), { invitations: testOptions().invitations });
  const pages = await startAccountPages(test.accounts);
  const login = 'bob@example.com';
  const { subject } = await test.accounts.users.create({ email: login, claims: { name: 'Bob Builder' }, invite: true });
  const link = new URL(/https:\S+/.exec((await mailAt(test.mailbox, 0)).text)?.[0] ?? '');
  return {
    ...test,
    login,
    subject,
    page: await openObservedPage(chromium, options),
    url: `${pages.ui}${link.pathname}${link.search}`,
  };
};

type Opened = Awaited<ReturnType<typeof open>>;

const choose = async ({ page }: Pick<Opened, 'page'>, chosen: string, next: string): Promise<void> => {
  await page.fill('#password', chosen);
  await click('#accept', next)(page);
};

it.each([true, false])(
  'with JavaScript: %s, an invited user chooses the password and signs in',
  async (javaScriptEnabled) => {
    const bob = await open({ javaScriptEnabled });
    await bob.page.goto(bob.url);
    await choose(bob, password, '#continue');
    expect(await bob.page.textContent('h1')).toBe('Your account is ready');
    expect(await bob.page.getAttribute('#continue', 'href')).toBe('/account');
    const signIn = await bob.accounts.signIn.password({ login: bob.login, password, binding: 'c' });
    expect(signIn).toMatchObject({ state: 'done', subject: bob.subject });
  },
);

const steps: readonly Step<Opened>[] = [
  [
    'invitation',
    async (page, bob) => {
      await page.goto(bob.url);
      await page.waitForSelector('#password');
    },
  ],
  ['weak password', (_page, bob) => choose(bob, 'password', '#message')],
  ['password chosen', (_page, bob) => choose(bob, password, '#continue')],
  [
    'used link',
    async (page, bob) => {
      await page.goto(bob.url);
      await page.waitForSelector('h1');
    },
  ],
];

describe('WCAG 2.2 AA', () => {
  it.for([english, arabic])('has no violation on the pages of an invitation in $locale', async (reading) => {
    const bob = await open({ locale: reading.locale, reducedMotion: 'reduce' });
    expect(await problemsOf(bob.page, bob, reading, { name: 'invitation', steps })).toEqual([]);
  });
});
