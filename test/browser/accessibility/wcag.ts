import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { axeViolations } from './axe.ts';
import { type Check, forcedColors, keyboard, largeText, pasting, reflow } from './checks.ts';
import type { Journey } from './journeys.ts';

interface Browser {
  readonly locale: string;
  readonly direction: string;
  readonly checks: readonly Check[];
}

/** A language of each direction. Every check runs in the first. */
const browsers: readonly Browser[] = [
  { locale: 'en', direction: 'ltr', checks: [reflow, largeText, forcedColors, pasting, keyboard] },
  { locale: 'ar', direction: 'rtl', checks: [reflow] },
];

/** Each journey in each browser. */
export const casesOf = <J extends { readonly name: string }>(journeys: readonly J[]): readonly (J & Browser)[] =>
  journeys.flatMap((journey) => browsers.map((browser) => ({ ...journey, ...browser })));

/** Takes a picture of the page into the folder `PAGE_PICTURES`, if it is set. */
const takePicture = async (page: Page, name: string): Promise<void> => {
  const { PAGE_PICTURES: folder } = process.env;
  if (folder) await page.screenshot({ path: join(folder, `${name.replaceAll(/\W+/g, '-')}.png`), fullPage: true });
};

const bothSchemes = async (page: Page, name: string): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await takePicture(page, `${name} ${colorScheme}`);
    problems.push(...(await axeViolations(page)).map((problem) => `${colorScheme}: ${problem}`));
  }
  return problems;
};

/** The problems of every page of a journey. */
export const problemsOf = async <S>(page: Page, stack: S, each: Journey<S> & Browser): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const [name, go] of each.steps) {
    await go(page, stack);
    const found = [...(await bothSchemes(page, `${each.name} ${name} ${each.locale}`))];
    for (const check of each.checks) found.push(...(await check(page)));
    const { lang, dir } = await page.evaluate(() => ({ lang: document.documentElement.lang, dir: document.dir }));
    if (lang !== each.locale || dir !== each.direction) found.push(`its language is ${lang}, ${dir}`);
    problems.push(...found.map((problem) => `${name}: ${problem}`));
  }
  return problems;
};
