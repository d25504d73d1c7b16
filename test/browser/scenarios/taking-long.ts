import { describe } from 'vitest';
import { allow, dana, enter, goToLogin, leaveOpen, logIn, shows } from '../steps.ts';
import { test } from '../test.ts';

describe('taking long', () => {
  test('over the login shows a page that says so, and starting again leads to the end', async ({
    stack,
    person: { context, page },
  }) => {
    await goToLogin(page, stack);
    await leaveOpen(stack, context);
    await enter(page, dana);
    await shows(page, 'This sign-in has expired');
    await page.click('#start-again');
    await logIn(page, dana);
    await allow(page, dana);
  });
});
