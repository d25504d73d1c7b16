import type { Page } from 'playwright-core';

/** The problems that one check finds in a page. It leaves the page as it was. */
export type Check = (page: Page) => Promise<readonly string[]>;

/** Runs in the browser: what is wider than the window, and text that is cut off. */
const overflows = (): string[] => {
  const nameOf = (element: Element) => `${element.tagName.toLowerCase()}#${element.id}.${element.className}`;
  const root = document.documentElement;
  const wide =
    root.scrollWidth > root.clientWidth ? [`the page is ${root.scrollWidth}px wide of ${root.clientWidth}`] : [];
  const cut = [...document.querySelectorAll('main *, footer *')].filter((element) => {
    const isField = element.matches('input, select, textarea, svg *, .hidden');
    return (
      !isField && element.checkVisibility() && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0
    );
  });
  return [...wide, ...cut.map((element) => `${nameOf(element)} is cut off`)];
};

/** WCAG 2.2, section 1.4.10: no scrolling in two directions at a width of 320 px. */
export const reflow: Check = async (page) => {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 568 });
  const problems = await page.evaluate(overflows);
  if (size) await page.setViewportSize(size);
  return problems.map((problem) => `at 320 px: ${problem}`);
};

/** WCAG 2.2, section 1.4.4: the text at 200 %. */
export const largeText: Check = async (page) => {
  const setSize = (size: string) =>
    page.evaluate((given) => document.documentElement.style.setProperty('font-size', given), size);
  await setSize('200%');
  const problems = await page.evaluate(overflows);
  await setSize('');
  return problems.map((problem) => `at 200 % text: ${problem}`);
};

/** Runs in the browser: marks the elements that the Tab key has to reach, in their order, and starts before the first. */
const numberTabStops = (): number => {
  const candidates = document.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, summary, [tabindex="0"]',
  );
  const stops = [...candidates].filter(
    (element) => element.checkVisibility() && !element.matches(':disabled, [type=hidden], [tabindex="-1"]'),
  );
  for (const [index, element] of stops.entries()) element.dataset.tabStop = String(index);
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  window.scrollTo(0, 0);
  return stops.length;
};

/** Runs in the browser: what is wrong with the focus, which should be on that tab stop. */
const focusProblems = (expected: number): string[] => {
  const element = document.activeElement as HTMLElement;
  const name = `${element.tagName.toLowerCase()}#${element.id}`;
  if (element.dataset.tabStop !== String(expected)) return [`tab stop ${expected} has no focus, but ${name}`];
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const problems = outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2 ? [`${name} shows no focus`] : [];
  const { left, top, width, height } = element.getBoundingClientRect();
  const onTop = document.elementFromPoint(left + width / 2, top + height / 2);
  const isSeen = onTop !== null && (element.contains(onTop) || onTop.contains(element));
  return isSeen ? problems : [...problems, `${name} is obscured or outside of the window`];
};

/** WCAG 2.2, sections 2.1.1, 2.4.3, 2.4.7 and 2.4.11: the Tab key reaches everything, in order, visibly. */
export const keyboard: Check = async (page) => {
  const count = await page.evaluate(numberTabStops);
  const problems: string[] = [];
  for (let index = 0; index < count; index += 1) {
    await page.keyboard.press('Tab');
    problems.push(...(await page.evaluate(focusProblems, index)));
  }
  return problems;
};

/** With forced colors, backgrounds vanish: what can be operated needs a border. */
export const forcedColors: Check = async (page) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const problems = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main button, main .button, main input:not([type=hidden])')]
      .filter((element) => element.checkVisibility() && !element.matches('.icon, [type=checkbox], [type=radio]'))
      .filter(
        (element) =>
          getComputedStyle(element).borderStyle === 'none' || getComputedStyle(element).borderColor === 'transparent',
      )
      .map((element) => `with forced colors, ${element.tagName.toLowerCase()}#${element.id} has no border`),
  );
  await page.emulateMedia({ forcedColors: 'none' });
  return problems;
};

/** WCAG 2.2, section 3.3.8: password managers can fill fields, and text can be pasted. */
export const pasting: Check = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('input[type=text], input[type=password], input[type=email]')]
      .filter((input) => {
        const isAllowed = input.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true }));
        return !isAllowed || (input.type === 'password' && !/password|code/.test(input.autocomplete));
      })
      .map((input) => `#${input.id} cannot be pasted into or filled`),
  );
