import type { BrowserContext } from 'playwright-core';
import { describe } from 'vitest';
import { catchRequest } from '../interception.ts';
import type { Stack } from '../stack.ts';
import { allow, dana, enter, goToLogin, grace, logIn, shows } from '../steps.ts';
import { test } from '../test.ts';

/** The lifetime of a flow, and half a minute by which two clocks may differ. */
const tooLongSeconds = 1_800 + 31;

/** Lets time pass for the servers, and takes from the browser the cookies that would have run out. */
const leaveOpen = async (stack: Stack, context: BrowserContext, seconds: number): Promise<void> => {
  stack.passTime(seconds);
  const end = Date.now() / 1000 + seconds;
  for (const { name, expires } of await context.cookies()) {
    if (expires !== -1 && expires <= end) await context.clearCookies({ name });
  }
};

describe('taking long', () => {
  test('over the login shows a page that says so, and starting again leads to the end', async ({
    stack,
    person: { context, page },
  }) => {
    await goToLogin(page, stack);
    await leaveOpen(stack, context, tooLongSeconds);
    await enter(page, dana);
    await shows(page, 'This sign-in has expired');
    await page.click('#start-again');
    await logIn(page, dana);
    await allow(page, dana);
  });

  test('over the consent does too, and somebody else may go on', async ({ stack, person: { context, page } }) => {
    await goToLogin(page, stack);
    await logIn(page, dana);
    await leaveOpen(stack, context, tooLongSeconds);
    await page.click('#accept');
    await shows(page, 'This sign-in has expired');
    await page.click('#start-again');
    await logIn(page, grace);
    await allow(page, grace);
  });

  test.for(['Sign in', 'Cancel'])('over the login shows the same page after %s', async (button, { stack, person }) => {
    const { context, page } = person;
    await goToLogin(page, stack);
    await page.fill('#email', dana.email);
    await page.fill('#password', dana.password);
    await leaveOpen(stack, context, tooLongSeconds);
    await page.getByRole('button', { name: button }).click();
    await shows(page, 'This sign-in has expired');
  });

  test('on the way back to the provider does too', async ({ stack, person: { context, page } }) => {
    await goToLogin(page, stack);
    const url = await catchRequest(page, 'login_verifier', () => enter(page, dana));
    await leaveOpen(stack, context, tooLongSeconds);
    await page.goto(url);
    await shows(page, 'This sign-in has expired');
    await page.getByRole('link', { name: 'Start again' }).click();
    await logIn(page, dana);
    await allow(page, dana);
  });
});
