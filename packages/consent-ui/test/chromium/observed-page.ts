import { expect, onTestFinished } from 'vitest';
import type { launchChromium } from '../../../../test/browser/chromium.ts';
import { observe } from '../../../../test/browser/observer.ts';

export type Browser = Awaited<ReturnType<typeof launchChromium>>;
export type PageOptions = Parameters<Browser['newContext']>[0];

/** A page in a browser context of its own, until the end of the test, which fails if the browser complained. */
export const openObservedPage = async (chromium: Browser, options: PageOptions = {}) => {
  const context = await chromium.newContext(options);
  const { complaints } = observe(context, new Set());
  onTestFinished(async () => {
    const found = await complaints();
    await context.close();
    expect(found).toEqual([]);
  });
  return context.newPage();
};
