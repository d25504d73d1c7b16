import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOnly, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const everyRule: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};

/** The rules that look at colors. A color scheme changes the result of no other rule. */
const colorRules: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** The violations that axe-core finds in the page as it is now: of every rule, or of those that look at colors. */
export const axeViolations = async (page: Page, rules: 'every' | 'colors' = 'every'): Promise<readonly string[]> => {
  const options: RunOptions = { runOnly: rules === 'every' ? everyRule : colorRules, resultTypes: ['violations'] };
  // Evaluated by the debugger, so that the policy of the page stays as it is.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source);
  const { violations } = (await page.evaluate((given) => {
    const { axe } = window as unknown as { axe: { run(node: Document, options: unknown): Promise<AxeResults> } };
    return axe.run(document, given);
  }, options)) as AxeResults;
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target }) => `${id} at ${target.join(' ')}: ${help}`),
  );
};
