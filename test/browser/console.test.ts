import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations } from './accessibility/axe.ts';
import { keyboard, reflow } from './accessibility/checks.ts';
import { launchChromium } from './chromium.ts';
import { startConsole } from './start-console.ts';

const script = '<script>document.title="run"</script>"><img src=x onerror=alert(1)>';

/** A color that is not readable as it is, and a logo with a style and a script. */
const brand = {
  name: script,
  color: '#ffb300',
  logo: {
    type: 'image/svg+xml',
    content: new TextEncoder().encode(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><style>path{fill:#ffb300}</style><path d="M0 0h9v9H0z"/><script>alert(1)</script></svg>',
    ),
  },
};

let running: Awaited<ReturnType<typeof startConsole>>;
let chromium: Browser;
beforeAll(async () => {
  [running, chromium] = await Promise.all([startConsole({ name: script, brand }), launchChromium()]);
});
afterAll(async () => {
  await chromium.close();
  await running.close();
});

/** Calls `check` on each page of the console, and returns the problems with their paths. */
const problemsOf = async (
  options: BrowserContextOptions,
  check: (page: Awaited<ReturnType<Browser['newPage']>>) => Promise<readonly string[]>,
): Promise<readonly string[]> => {
  const page = await chromium.newPage(options);
  const problems: string[] = [];
  let path = '';
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${path}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`${path}: ${error.message}`));
  for (path of running.pages) {
    const response = await page.goto(running.url + path, { waitUntil: 'domcontentloaded' });
    if (response?.status() !== 200) problems.push(`${path}: ${response?.status()}`);
    problems.push(...(await check(page)).map((problem) => `${path}: ${problem}`));
  }
  await page.close();
  return problems;
};

/** Tables scroll in a region of their own, which WCAG 2.2, section 1.4.10, allows. */
const isNoTable = (problem: string): boolean => !/(?:div#\.table|pre#\S*) is cut off$/.test(problem);

/** Runs in the browser: words of a table's header that are broken, and hints that share a line with a button. */
const brokenParts = (): string[] => {
  const range = document.createRange();
  const isBroken = (text: Node, word: RegExpMatchArray): boolean => {
    range.setStart(text, word.index ?? 0);
    range.setEnd(text, (word.index ?? 0) + word[0].length);
    return range.getClientRects().length > 1;
  };
  const words = [...document.querySelectorAll('th[scope=col]')].flatMap(({ firstChild }) => {
    if (firstChild === null) return [];
    const found = [...(firstChild.textContent ?? '').matchAll(/[^\s-]+/g)];
    return found.filter((word) => isBroken(firstChild, word)).map(([word]) => `the word "${word}" is broken`);
  });
  const hints = [...document.querySelectorAll('label + small')].filter(
    (hint) => getComputedStyle(hint).display !== 'block',
  );
  return [...words, ...hints.map(({ textContent }) => `the hint "${textContent}" is in a line with others`)];
};

const wholeParts = async (page: Page): Promise<readonly string[]> => {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 568 });
  const problems = await page.evaluate(brokenParts);
  if (size) await page.setViewportSize(size);
  return problems;
};

test('each page of the console follows the rules of axe, at 320 px with whole words, with a keyboard, and runs no text of others', async () => {
  const problems = await problemsOf({ locale: 'en' }, async (page) => [
    ...(await axeViolations(page)),
    ...(await reflow(page)).filter(isNoTable),
    ...(await wholeParts(page)),
    ...(await keyboard(page)),
    ...((await page.title()) === 'run' ? ['a script ran'] : []),
  ]);
  expect(problems).toEqual([]);
});

test('each page has enough contrast in the dark scheme, and reads from right to left in Arabic', async () => {
  const problems = await problemsOf({ locale: 'ar', colorScheme: 'dark' }, async (page) => [
    ...(await axeViolations(page, 'colors')),
    ...(await reflow(page)).filter(isNoTable),
    ...((await page.evaluate(() => document.dir)) === 'rtl' ? [] : ['it reads from left to right']),
  ]);
  expect(problems).toEqual([]);
});

test('each page can be read without JavaScript', async () => {
  const problems = await problemsOf({ javaScriptEnabled: false }, async (page) => {
    const text = (await page.locator('main').textContent()) ?? '';
    return text.length > 20 ? [] : [`it has the text ${JSON.stringify(text)}`];
  });
  expect(problems).toEqual([]);
});

test('the figures of the overview change while it is open', async () => {
  const page = await chromium.newPage();
  await page.goto(`${running.url}/`);
  await page.evaluate(() => {
    for (const place of document.querySelectorAll('[data-figure]')) place.textContent = 'old';
  });
  await page.waitForFunction(() => document.querySelector('[data-figure=store]')?.textContent === 'answers');
  await page.close();
});
