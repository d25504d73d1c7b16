import { describe } from 'vitest';
import { catchRequest } from '../interception.ts';
import { allow, dana, enter, goToLogin, grace, leaveOpen, logIn, shows } from '../steps.ts';
import { test } from '../test.ts';

describe('taking long', () => {
  test('over the consent does too, and somebody else may go on', async ({ stack, person: { context, page } }) => {
    await goToLogin(page, stack);
    await logIn(page, dana);
    await leaveOpen(stack, context);
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
    await leaveOpen(stack, context);
    await page.getByRole('button', { name: button }).click();
    await shows(page, 'This sign-in has expired');
  });

  test('on the way back to the provider does too', async ({ stack, person: { context, page } }) => {
    await goToLogin(page, stack);
    const url = await catchRequest(page, 'login_verifier', () => enter(page, dana));
    await leaveOpen(stack, context);
    await page.goto(url);
    await shows(page, 'This sign-in has expired');
    await page.getByRole('link', { name: 'Start again' }).click();
    await logIn(page, dana);
    await allow(page, dana);
  });
});
