import { fileURLToPath } from 'node:url';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { test as base, expect } from 'vitest';
import { launchChromium } from './chromium.ts';
import { observe } from './observer.ts';
import { startStack } from './stack.ts';

/** A browser of its own, with nothing in it, and its first tab. */
export interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
}

const pictures = fileURLToPath(new URL('../../test-results/', import.meta.url));
const patienceMs = 30_000;

const takePictures = async (people: readonly Person[], title: string): Promise<void> => {
  const name = title.replaceAll(/\W+/g, '-').slice(0, 80);
  const pages = people.flatMap(({ context }) => context.pages());
  for (const [index, page] of pages.entries()) {
    await page.screenshot({ path: `${pictures}${name}-${index + 1}.png`, fullPage: true }).catch(() => undefined);
  }
};

/**
 * A test with the stack and a browser. Whatever it does, no browser may see a status of 500, a console error, a Referer or
 * a request that leaves this machine. When a test fails, there is a picture of every tab in `test-results/`.
 */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads what is needed off the pattern
  .extend('stack', { scope: 'file' }, async ({}, { onCleanup }) => {
    const stack = await startStack();
    onCleanup(() => stack.stop());
    return stack;
  })
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads what is needed off the pattern
  .extend('chromium', { scope: 'file' }, async ({}, { onCleanup }) => {
    const chromium = await launchChromium();
    onCleanup(() => chromium.close());
    return chromium;
  })
  /** Every challenge, verifier, code, password, cookie and form token that any browser has seen. */
  .extend('secrets', { scope: 'file' }, () => new Set<string>())
  /** Opens the browser of one more person. */
  .extend('newPerson', async ({ chromium, secrets, task }, { onCleanup }) => {
    const people: (Person & { complaints(): Promise<string[]> })[] = [];
    onCleanup(async () => {
      if (task.result?.state === 'fail') await takePictures(people, task.name);
      const complaints = await Promise.all(people.map((person) => person.complaints()));
      await Promise.all(people.map(({ context }) => context.close()));
      expect(complaints.flat(), 'what no browser may see').toEqual([]);
    });
    return async (options: BrowserContextOptions = {}): Promise<Person> => {
      const context = await chromium.newContext(options);
      context.setDefaultTimeout(patienceMs);
      const { complaints } = observe(context, secrets);
      const person = { context, page: await context.newPage(), complaints };
      people.push(person);
      return person;
    };
  })
  .extend('person', ({ newPerson }) => newPerson());
