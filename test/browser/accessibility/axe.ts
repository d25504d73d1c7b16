import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const options: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};

/** The violations that axe-core finds in the page as it is now. */
export const axeViolations = async (page: Page): Promise<readonly string[]> => {
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
