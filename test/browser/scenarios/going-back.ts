import { describe, expect } from 'vitest';
import { allow, dana, goToLogin, grace, logIn, shows, signIn, startAgain, tableOf } from '../steps.ts';
import { test } from '../test.ts';

describe('going back', () => {
  test('to the consent page when all is done meets a page that says so, and a way to start again', async ({
    stack,
    person: { page },
  }) => {
    await signIn(page, stack, dana);
    await page.goBack();
    await startAgain(page);
  });

  test('to the login page before the end lets somebody else log in, and it is they who are signed in', async ({
    stack,
    person: { page },
  }) => {
    await goToLogin(page, stack);
    await logIn(page, dana);
    await page.goBack();
    await shows(page, 'Sign in');
    await logIn(page, grace);
    expect(await page.locator('.person').textContent()).toContain(grace.name);
    await allow(page, grace);
    expect(await tableOf(page, 'id-token')).toMatchObject({ sub: grace.subject, email: grace.email });
  });
});

describe('two tabs', () => {
  test('of two people each end with the person who logged in there', async ({ stack, person: { page, context } }) => {
    const other = await context.newPage();
    await goToLogin(page, stack);
    await goToLogin(other, stack);
    await logIn(page, dana);
    await logIn(other, grace);
    await allow(page, dana);
    await allow(other, grace);
    expect(await tableOf(other, 'id-token')).toMatchObject({ sub: grace.subject });
  });
});
