import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Step } from '../../../test/browser/accessibility/journeys.ts';
import { casesOf, problemsOf } from '../../../test/browser/accessibility/wcag.ts';
import { launchChromium } from '../../../test/browser/chromium.ts';
import { type Browser, openObservedPage, type PageOptions } from './chromium/observed-page.ts';
import { type ProviderPages, startProviderPages } from './chromium/provider-pages.ts';

type Page = Awaited<ReturnType<Browser['newPage']>>;

let chromium: Browser;
let pages: ProviderPages;
beforeAll(async () => {
  [chromium, pages] = await Promise.all([launchChromium(), startProviderPages()]);
});
afterAll(async () => void (await Promise.all([chromium.close(), pages.close()])));

const newPage = (options?: PageOptions): Promise<Page> => openObservedPage(chromium, options);

let challenges = 0;

/** A sign-in page of its own. */
const openLogin = async (page: Page): Promise<void> => {
  challenges += 1;
  await page.goto(`${pages.ui}/login?login_challenge=c${challenges}`);
  await page.waitForSelector('#provider-corp');
};

const toAnswer = async (page: Page, code: string): Promise<void> => {
  await openLogin(page);
  await page.click('#provider-corp');
  await page.click(`#${code}`);
};

/** The page after this answer of the provider. */
const answered =
  (code: string, selector: string) =>
  async (page: Page): Promise<void> => {
    await toAnswer(page, code);
    await page.waitForSelector(selector);
  };

const heading = (page: Page): Promise<string | null> => page.textContent('h1');

describe.each([true, false])('with JavaScript: %s', (javaScriptEnabled) => {
  it('a user signs in with a provider on another site', async () => {
    const page = await newPage({ javaScriptEnabled });
    await toAnswer(page, 'good');
    expect(await heading(page)).toBe('Signed in');
    expect(pages.decided.at(-1)).toMatchObject({ subject: 'u1', remember: false });
  });

  it('a user signs in with a provider that answers by a form, although that form has no cookie', async () => {
    const page = await newPage({ javaScriptEnabled });
    await openLogin(page);
    await page.click('#provider-corp');
    await page.click('#form-post');
    if (!javaScriptEnabled) {
      expect(await heading(page)).toBe('One more step');
      await page.click('#accept');
    }
    await page.waitForURL((url) => url.pathname === '/oauth2/auth');
    expect(await heading(page)).toBe('Signed in');
  });

  it('the keyboard alone leads from the sign-in page to the provider', async () => {
    const page = await newPage({ javaScriptEnabled });
    await openLogin(page);
    await page.focus('#accept');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('provider-corp');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#good');
  });
});

it('the script of the page passes on whether the user wants to stay signed in', async () => {
  const page = await newPage();
  await openLogin(page);
  await page.check('#remember');
  await page.click('#provider-corp');
  await page.click('#good');
  expect(pages.decided.at(-1)).toMatchObject({ subject: 'u1', remember: true });
});

it('another language begins the sign-in again, and the page has nothing of the answer', async () => {
  const page = await newPage();
  await answered('first', '#accept')(page);
  expect(await page.content()).not.toContain('code=first');
  await page.click('.languages summary');
  await page.click('.languages [value=de]');
  await page.waitForSelector('#provider-corp');
  expect(await heading(page)).toBe('Anmelden');
});

const onAccount = async (page: Page): Promise<void> => {
  await page.context().addCookies([{ ...pages.session, url: pages.ui }]);
  await page.goto(`${pages.ui}/account`);
  await page.waitForSelector('#providers');
};

const click = (selector: string, next: string) => async (page: Page) => {
  await page.click(selector);
  await page.waitForSelector(next);
};

const steps: readonly Step<ProviderPages>[] = [
  ['sign-in', openLogin],
  ['first sign-in', answered('first', '#accept')],
  ['address of a user', answered('link', '#password')],
  [
    'address of a user, wrong password',
    async (page) => {
      await page.fill('#password', 'wrong');
      await click('#accept', '#message')(page);
    },
  ],
  ['second factor', answered('factor', '#code')],
  ['denied', answered('denied', '#reject')],
  ['failed', answered('provider_failed', '#reject')],
  ['unknown user', answered('unknown_user', '#reject')],
  [
    'sign-in of another browser',
    async (page) => {
      await openLogin(page);
      await page.click('#provider-corp');
      await page.context().clearCookies();
      await click('#good', '#home')(page);
    },
  ],
  ['account', onAccount],
  ['connect', click('#connect-google', '#accept')],
  [
    'nothing was connected',
    async (page) => {
      await page.click('#accept');
      await click('#denied', '#back')(page);
    },
  ],
  [
    'remove',
    async (page) => {
      await onAccount(page);
      await click('#providers .item a', '#accept')(page);
    },
  ],
  ['the last way', click('#accept', '#back')],
];

/** The script of the page would leave it at once. */
const stayOnForms = (): void => {
  HTMLFormElement.prototype.submit = () => {};
};

const formSteps: readonly Step<ProviderPages>[] = [
  [
    'one more step',
    async (page) => {
      await page.addInitScript(stayOnForms);
      await openLogin(page);
      await page.click('#provider-corp');
      await click('#form-post', '#post-again')(page);
    },
  ],
];

const journeys = [
  { name: 'providers', steps },
  { name: 'a form of a provider', steps: formSteps },
];

describe('WCAG 2.2 AA', () => {
  it.for(casesOf(journeys))('has no violation on the pages of $name in $locale', async (each) => {
    const page = await newPage({ locale: each.locale, reducedMotion: 'reduce' });
    expect(await problemsOf(page, pages, each)).toEqual([]);
  });
});
