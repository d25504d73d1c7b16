import { describe } from 'vitest';
import { allow, dana, goToLogin, grace, logIn, returnLater, shows, signIn, signInRemembered } from '../steps.ts';
import { test } from '../test.ts';

describe('staying signed in', () => {
  test('a remembered login alone still asks for the consent', async ({ stack, person }) => {
    await goToLogin(person.page, stack);
    await person.page.check('#remember');
    await logIn(person.page, grace);
    await allow(person.page, grace);
    await returnLater(person.page, stack);
    await shows(person.page, 'Allow access?');
    await allow(person.page, grace);
  });

  test('a login that is not remembered is asked for again', async ({ stack, person }) => {
    await signIn(person.page, stack, dana);
    await returnLater(person.page, stack);
    await shows(person.page, 'Sign in');
  });
});

describe('signing out', () => {
  test('can be declined, and the login is still remembered', async ({ stack, person: { page } }) => {
    await signInRemembered(page, stack);
    await page.click('#sign-out');
    await shows(page, 'Sign out?');
    await page.click('#reject');
    await shows(page, 'You are still signed in');
    await page.goto(stack.application);
    await page.click('#sign-in');
    await shows(page, `Hello, ${dana.name}`);
  });
});
