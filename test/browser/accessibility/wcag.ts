import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { axeViolations } from './axe.ts';
import { type Check, forcedColors, keyboard, largeText, pasting, reflow } from './checks.ts';
import type { Journey } from './journeys.ts';

/** In which language a journey is made, and what is checked on each page besides the rules of axe-core. */
export interface Reading {
  readonly locale: string;
  readonly direction: string;
  readonly schemes: readonly ('dark' | 'light')[];
  readonly checks: readonly Check[];
}

/** Every check, in the light scheme. */
export const english: Reading = {
  locale: 'en',
  direction: 'ltr',
  schemes: ['light'],
  checks: [reflow, largeText, forcedColors, pasting, keyboard],
};

/** A language of the other direction, and the dark scheme: for the slow tests, which repeat the journeys of `npm test`. */
export const arabic: Reading = { locale: 'ar', direction: 'rtl', schemes: ['dark', 'light'], checks: [reflow] };

/** The palette is all that differs in the dark scheme. */
const rulesIn = { dark: 'colors', light: 'every' } as const;

/** Takes a picture of the page into the folder `PAGE_PICTURES`, if it is set. */
const takePicture = async (page: Page, name: string): Promise<void> => {
  const { PAGE_PICTURES: folder } = process.env;
  if (folder) await page.screenshot({ path: join(folder, `${name.replaceAll(/\W+/g, '-')}.png`), fullPage: true });
};

const violationsIn = async (page: Page, schemes: Reading['schemes'], name: string): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await takePicture(page, `${name} ${colorScheme}`);
    problems.push(...(await axeViolations(page, rulesIn[colorScheme])).map((problem) => `${colorScheme}: ${problem}`));
  }
  return problems;
};

/** The problems of every page of a journey. The page must be one in the language of the reading. */
export const problemsOf = async <S>(
  page: Page,
  stack: S,
  { locale, direction, schemes, checks }: Reading,
  journey: Journey<S>,
): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const [name, go] of journey.steps) {
    await go(page, stack);
    const found = [...(await violationsIn(page, schemes, `${journey.name} ${name} ${locale}`))];
    for (const check of checks) found.push(...(await check(page)));
    const { lang, dir } = await page.evaluate(() => ({ lang: document.documentElement.lang, dir: document.dir }));
    if (lang !== locale || dir !== direction) found.push(`its language is ${lang}, ${dir}`);
    problems.push(...found.map((problem) => `${name}: ${problem}`));
  }
  return problems;
};
