import { describe, expect } from 'vitest';
import { axeViolations } from '../accessibility/axe.ts';
import { type Check, forcedColors, keyboard, largeText, pasting, reflow } from '../accessibility/checks.ts';
import { journeys } from '../accessibility/journeys.ts';
import { test } from '../test.ts';

/** A language of each direction. Every check runs in the first. */
const browsers: readonly { readonly locale: string; readonly direction: string; readonly checks: readonly Check[] }[] =
  [
    { locale: 'en', direction: 'ltr', checks: [reflow, largeText, forcedColors, pasting, keyboard] },
    { locale: 'ar', direction: 'rtl', checks: [reflow] },
  ];

const bothSchemes = async (page: Parameters<Check>[0]): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    problems.push(...(await axeViolations(page)).map((problem) => `${colorScheme}: ${problem}`));
  }
  return problems;
};

const cases = journeys.flatMap((journey) => browsers.map((browser) => ({ ...journey, ...browser })));

describe('WCAG 2.2 AA', () => {
  test.for(cases)('has no violation on the pages of $name in $locale', async (each, { stack, newPerson }) => {
    const { page } = await newPerson({ locale: each.locale, reducedMotion: 'reduce' });
    const problems: string[] = [];
    for (const [name, go] of each.steps) {
      await go(page, stack);
      const found = [...(await bothSchemes(page))];
      for (const check of each.checks) found.push(...(await check(page)));
      const { lang, dir } = await page.evaluate(() => ({ lang: document.documentElement.lang, dir: document.dir }));
      if (lang !== each.locale || dir !== each.direction) found.push(`its language is ${lang}, ${dir}`);
      problems.push(...found.map((problem) => `${name}: ${problem}`));
    }
    expect(problems).toEqual([]);
  });
});
