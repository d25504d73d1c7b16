import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { Stack } from '../stack.ts';
import {
  allow,
  cookieNames,
  dana,
  enter,
  goToLogin,
  grace,
  logIn,
  signIn,
  startAgain,
  tableOf,
  useAnother,
} from '../steps.ts';
import { test } from '../test.ts';

const openInNewTab = async (page: Page, url: string): Promise<Page> => {
  const tab = await page.context().newPage();
  await tab.goto(url);
  return tab;
};

describe('going back', () => {
  test('to the login page when all is done does too', async ({ stack, person: { page } }) => {
    await signIn(page, stack, dana);
    await page.goBack();
    await page.goBack();
    await startAgain(page);
  });

  test.for([
    { form: 'login', open: goToLogin, fill: (tab: Page) => enter(tab, grace) },
    {
      form: 'consent',
      open: async (page: Page, stack: Stack) => {
        await goToLogin(page, stack);
        await logIn(page, grace);
      },
      fill: (tab: Page) => tab.click('#accept'),
    },
  ])('and sending the old $form form does too', async ({ open, fill }, { stack, person: { page } }) => {
    await open(page, stack);
    const tab = await openInNewTab(page, page.url());
    if (page.url().includes('/login')) await logIn(page, grace);
    await allow(page, grace);
    await fill(tab);
    await startAgain(tab);
  });

  test('to the login page, where a first user was remembered, asks a second user to sign in again', async ({
    stack,
    person: { page },
  }) => {
    await goToLogin(page, stack);
    await page.check('#remember');
    await logIn(page, dana);
    await page.goBack();
    const first = page.url();
    await useAnother(page);
    await page.check('#remember');
    await enter(page, grace);
    // The first user's session is written by now: the request starts again with `prompt=login`, as in Hydra.
    await page.waitForURL((url) => url.pathname === '/login' && !url.href.startsWith(first));
    await useAnother(page);
    await logIn(page, grace);
    await allow(page, grace);
    expect(await tableOf(page, 'id-token')).toMatchObject({ sub: grace.subject });
  });
});

describe('two tabs', () => {
  test('of one browser, their steps interleaved, both come to the end', async ({
    stack,
    person: { page, context },
  }) => {
    const other = await context.newPage();
    const tabs = [page, other];
    for (const tab of tabs) await goToLogin(tab, stack);
    for (const tab of tabs) await logIn(tab, dana);
    for (const tab of tabs) await allow(tab, dana);
    expect(await cookieNames(context)).toEqual(['relying_party']);
  });
});
