import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { click, type Step } from '../../../test/browser/accessibility/journeys.ts';
import { arabic, english, problemsOf } from '../../../test/browser/accessibility/wcag.ts';
import { launchChromium } from '../../../test/browser/chromium.ts';
import { mailAt, openWithMail } from '../../accounts/test/mailbox.ts';
import { createUser, password, testOptions, useDatabases } from '../../accounts/test/open-test-accounts.ts';
import { startAccountPages } from './chromium/account-pages.ts';
import { type Browser, openObservedPage, type PageOptions } from './chromium/observed-page.ts';

const databases = useDatabases();
let chromium: Browser;
beforeAll(async () => {
  chromium = await launchChromium();
});
afterAll(() => chromium.close());

const { secondFactors } = testOptions();
const login = 'ada@example.com';

/** The pages of accounts with the user Ada, who gets codes by email, and a browser. */
const open = async (options: PageOptions = {}) => {
  const database = await databases.createUrl('sqlite');
  const subject = await createUser(database, { emailVerified: true });
  const test = await openWithMail(database, { secondFactors: { ...secondFactors, kinds: ['email', 'recovery_code'] } });
  const pages = await startAccountPages(test.accounts);
  /** The code in the email with this number. */
  const codeAt = async (index: number): Promise<string> =>
    /^\d{6}$/m.exec((await mailAt(test.mailbox, index)).text)?.[0] ?? '';
  return { ...test, ...pages, subject, page: await openObservedPage(chromium, options), codeAt };
};

type Opened = Awaited<ReturnType<typeof open>>;

const enter = async ({ page, ui }: Pick<Opened, 'page' | 'ui'>): Promise<void> => {
  await page.goto(`${ui}/login?login_challenge=c1`);
  await page.fill('#email', login);
  await page.fill('#password', password);
  await click('#accept', '#code')(page);
};

const answer = async ({ page }: Pick<Opened, 'page'>, code: string, next: string): Promise<void> => {
  await page.fill('#code', code);
  await click('#accept', next)(page);
};

describe.each([true, false])('with JavaScript: %s', (javaScriptEnabled) => {
  it('a user signs in with the code of an email, after a wrong one and a new one', async () => {
    const ada = await open({ javaScriptEnabled });
    await enter(ada);
    const first = await ada.codeAt(0);
    await answer(ada, first === '000000' ? '000001' : '000000', '#message');
    expect(ada.mailbox.received).toHaveLength(1);
    await ada.page.click('#send-code');
    const second = await ada.codeAt(1);
    await ada.page.fill('#code', `${second.slice(0, 3)} ${second.slice(3)}`);
    await ada.page.click('#accept');
    await ada.page.waitForURL(/error=none/);
    const accepted = { subject: ada.subject, acr: 'urn:carnet:2fa', amr: ['pwd', 'otp', 'mfa'] };
    expect(ada.accepted).toEqual([expect.objectContaining(accepted)]);
  });
});

it('the code of the last email stays valid after more codes were requested than are sent in an hour', async () => {
  const ada = await open();
  await enter(ada);
  for (let sent = 1; sent < 5; sent += 1) {
    await ada.page.click('#send-code');
    await ada.codeAt(sent);
  }
  await click('#send-code', '#message')(ada.page);
  expect(await ada.page.textContent('#message')).toContain('Enter the code of the last email');
  await ada.page.fill('#code', await ada.codeAt(4));
  await ada.page.click('#accept');
  await ada.page.waitForURL(/error=none/);
  expect(ada.accepted).toHaveLength(1);
});

const steps: readonly Step<Opened>[] = [
  ['code', (_page, ada) => enter(ada)],
  ['wrong code', (_page, ada) => answer(ada, '000000', '#message')],
  [
    'too many codes',
    async (page, ada) => {
      for (let sent = 1; sent < 5; sent += 1) {
        await page.click('#send-code');
        await ada.codeAt(sent);
      }
      await click('#send-code', '#message')(page);
    },
  ],
];

describe('WCAG 2.2 AA', () => {
  it.for([english, arabic])('has no violation on the pages of codes by email in $locale', async (reading) => {
    const ada = await open({ locale: reading.locale, reducedMotion: 'reduce' });
    expect(await problemsOf(ada.page, ada, reading, { name: 'codes by email', steps })).toEqual([]);
  });
});
