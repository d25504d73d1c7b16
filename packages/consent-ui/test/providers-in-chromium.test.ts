import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { english, problemsOf } from '../../../test/browser/accessibility/wcag.ts';
import { launchChromium } from '../../../test/browser/chromium.ts';
import { type Browser, openObservedPage, type PageOptions } from './chromium/observed-page.ts';
import { answered, openLogin, providerJourneys, toAnswer } from './chromium/provider-journeys.ts';
import { type ProviderPages, startProviderPages } from './chromium/provider-pages.ts';

type Page = Awaited<ReturnType<Browser['newPage']>>;

let chromium: Browser;
let pages: ProviderPages;
beforeAll(async () => {
  [chromium, pages] = await Promise.all([launchChromium(), startProviderPages()]);
});
afterAll(async () => void (await Promise.all([chromium.close(), pages.close()])));

const newPage = (options?: PageOptions): Promise<Page> => openObservedPage(chromium, options);

const heading = (page: Page): Promise<string | null> => page.textContent('h1');

describe.each([true, false])('with JavaScript: %s', (javaScriptEnabled) => {
  it('a user signs in with a provider on another site', async () => {
    const page = await newPage({ javaScriptEnabled });
    await toAnswer(page, pages, 'good');
    expect(await heading(page)).toBe('Signed in');
    expect(pages.decided.at(-1)).toMatchObject({ subject: 'u1', remember: false });
  });

  it('a user signs in with a provider that answers by a form, although that form has no cookie', async () => {
    const page = await newPage({ javaScriptEnabled });
    await openLogin(page, pages);
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
    await openLogin(page, pages);
    await page.focus('#accept');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('provider-corp');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#good');
  });
});

it('the script of the page passes on whether the user wants to stay signed in', async () => {
  const page = await newPage();
  await openLogin(page, pages);
  await page.check('#remember');
  await page.click('#provider-corp');
  await page.click('#good');
  expect(pages.decided.at(-1)).toMatchObject({ subject: 'u1', remember: true });
});

it('another language begins the sign-in again, and the page has nothing of the answer', async () => {
  const page = await newPage();
  await answered('first', '#accept')(page, pages);
  expect(await page.content()).not.toContain('code=first');
  await page.click('.languages summary');
  await page.click('.languages [value=de]');
  await page.waitForSelector('#provider-corp');
  expect(await heading(page)).toBe('Anmelden');
});

describe('WCAG 2.2 AA', () => {
  it.for(providerJourneys)('has no violation on the pages of $name', async (journey) => {
    const page = await newPage({ locale: english.locale, reducedMotion: 'reduce' });
    expect(await problemsOf(page, pages, english, journey)).toEqual([]);
  });
});
