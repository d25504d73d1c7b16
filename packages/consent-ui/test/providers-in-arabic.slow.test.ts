import { expect, it, onTestFinished } from 'vitest';
import { arabic, problemsOf } from '../../../test/browser/accessibility/wcag.ts';
import { launchChromium } from '../../../test/browser/chromium.ts';
import { openObservedPage } from './chromium/observed-page.ts';
import { providerJourneys } from './chromium/provider-journeys.ts';
import { startProviderPages } from './chromium/provider-pages.ts';

it.for(providerJourneys)('the pages of $name have no violation of WCAG 2.2 AA in Arabic', async (journey) => {
  const [chromium, pages] = await Promise.all([launchChromium(), startProviderPages()]);
  onTestFinished(async () => void (await Promise.all([chromium.close(), pages.close()])));
  const page = await openObservedPage(chromium, { locale: arabic.locale, reducedMotion: 'reduce' });
  expect(await problemsOf(page, pages, arabic, journey)).toEqual([]);
});
