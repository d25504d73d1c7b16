import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { click, type Step } from '../../../test/browser/accessibility/journeys.ts';
import { arabic, english, problemsOf } from '../../../test/browser/accessibility/wcag.ts';
import { launchChromium } from '../../../test/browser/chromium.ts';
import { mailAt, openWithMail } from '../../accounts/test/mailbox.ts';
import { createUser, useDatabases } from '../../accounts/test/open-test-accounts.ts';
import { startAccountPages } from './chromium/account-pages.ts';
import { type Browser, openObservedPage, type PageOptions } from './chromium/observed-page.ts';

const databases = useDatabases();
let chromium: Browser;
beforeAll(async () => {
  chromium = await launchChromium();
});
afterAll(() => chromium.close());

const login = 'ada@example.com';

/** The pages of accounts with the user Ada, who can sign in by email, and a browser. */
const open = async (options: PageOptions = {}, isOn = true) => {
  const database = await databases.createUrl('sqlite');
  const subject = await createUser(database, { emailVerified: true });
  const test = await openWithMail(database, { emailSignIn: { enabled: isOn } });
  const pages = await startAccountPages(test.accounts);
  /** The code in the email with this number. */
  const codeAt = async (index: number): Promise<string> =>
    /^\d{6}$/m.exec((await mailAt(test.mailbox, index)).text)?.[0] ?? '';
  return { ...test, ...pages, subject, page: await openObservedPage(chromium, options), codeAt };
};

type Opened = Awaited<ReturnType<typeof open>>;

const openLogin = async ({ page, ui }: Pick<Opened, 'page' | 'ui'>): Promise<void> => {
  await page.goto(`${ui}/login?login_challenge=c1`);
};

const request = async (ada: Pick<Opened, 'page' | 'ui'>, name = login): Promise<void> => {
  await openLogin(ada);
  await ada.page.fill('#email', name);
  await click('#email-code', '#code')(ada.page);
};

const answer = async ({ page }: Pick<Opened, 'page'>, code: string, next = '#message'): Promise<void> => {
  await page.fill('#code', code);
  await click('#accept', next)(page);
};

const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000');

describe.each([true, false])('with JavaScript: %s', (javaScriptEnabled) => {
  it('a user signs in by the code of an email, after a wrong one and a new one, without the password', async () => {
    const ada = await open({ javaScriptEnabled });
    await openLogin(ada);
    await click('#email-code', '#message')(ada.page);
    expect(await ada.page.getAttribute('#email', 'aria-invalid')).toBe('true');
    await ada.page.fill('#email', login);
    await ada.page.check('#remember');
    await click('#email-code', '#code')(ada.page);
    await answer(ada, otherThan(await ada.codeAt(0)));
    await ada.page.click('#send-code');
    const second = await ada.codeAt(1);
    await ada.page.fill('#code', `${second.slice(0, 3)} ${second.slice(3)}`);
    await ada.page.click('#accept');
    await ada.page.waitForURL(/error=none/);
    const accepted = { subject: ada.subject, acr: 'urn:carnet:1fa', amr: ['otp'], remember: true };
    expect(ada.accepted).toEqual([expect.objectContaining(accepted)]);
    await openLogin(ada);
    expect(await ada.page.textContent('main')).toContain(login);
  });
});

it('the page of an unknown user is the same', async () => {
  const ada = await open();
  const texts: (string | null)[] = [];
  for (const name of [login, 'alan@example.com']) {
    await request(ada, name);
    texts.push(((await ada.page.textContent('main')) ?? '').replace(name, ''));
  }
  expect(texts[0]).toBe(texts[1]);
});

it('the button is absent if sign-in by email is off', async () => {
  const ada = await open({}, false);
  await openLogin(ada);
  expect(await ada.page.locator('#email-code').count()).toBe(0);
});

it('a reload of the page of the code begins the sign-in again, and sends nothing', async () => {
  const ada = await open();
  await request(ada);
  await ada.codeAt(0);
  await ada.page.goto(ada.page.url());
  await ada.page.waitForSelector('#password');
  expect(ada.mailbox.received).toHaveLength(1);
});

it('a code that has expired leads back to the sign-in form, with the login name', async () => {
  const ada = await open();
  await request(ada);
  ada.clock.now += 600_000;
  await answer(ada, await ada.codeAt(0));
  expect(await ada.page.inputValue('#email')).toBe(login);
});

const steps: readonly Step<Opened>[] = [
  ['sign-in', (_page, ada) => openLogin(ada)],
  ['no name', (page) => click('#email-code', '#message')(page)],
  ['code', (_page, ada) => request(ada)],
  ['wrong code', (_page, ada) => answer(ada, '000000')],
  [
    'too many guesses',
    async (page, ada) => {
      for (let guess = 0; guess < 5; guess += 1) await answer(ada, '000000');
      expect(await page.getAttribute('#code', 'aria-invalid')).toBe('true');
    },
  ],
  [
    'too many codes',
    async (page, ada) => {
      for (let sent = 1; sent < 3; sent += 1) {
        await page.click('#send-code');
        await ada.codeAt(sent);
      }
      await click('#send-code', '#message')(page);
    },
  ],
];

describe('WCAG 2.2 AA', () => {
  it.for([english, arabic])('has no violation on the pages of sign-in by email in $locale', async (reading) => {
    const ada = await open({ locale: reading.locale, reducedMotion: 'reduce' });
    expect(await problemsOf(ada.page, ada, reading, { name: 'sign-in by email', steps })).toEqual([]);
  });
});
