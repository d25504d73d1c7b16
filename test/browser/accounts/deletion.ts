import { describe, expect } from 'vitest';
import { enter, shows } from '../steps.ts';
import { addAuthenticator, openAccount } from './steps.ts';
import { test } from './test.ts';

const withoutScript = { javaScriptEnabled: false };

describe('an account that its user deletes', () => {
  test('signs the user out everywhere, and is kept by the next sign-in', async ({ stack, mailbox, newPerson }) => {
    const [here, there] = [await newPerson(withoutScript), await newPerson(withoutScript)];
    const user = await openAccount(here.page, stack, mailbox);
    await there.page.goto(`${stack.ui}/account`);
    await enter(there.page, user);
    await shows(there.page, 'Your account');

    await here.page.click('#delete-account');
    await shows(here.page, 'Delete your account?');
    await here.page.click('#back');
    await here.page.click('#delete-account');
    await here.page.click('#accept');
    await shows(here.page, 'Your account will be deleted');
    expect(await mailbox.nextTo(user.email, 'will be deleted on')).toContain('sign in before that day');
    await there.page.reload();
    await shows(there.page, 'Sign in');

    await enter(there.page, user);
    await shows(there.page, 'Keep your account?');
    await there.page.click('#back');
    await shows(there.page, 'Sign in');
    await enter(there.page, user);
    await shows(there.page, 'Keep your account?');
    await there.page.click('#accept');
    await shows(there.page, 'Your account');
    await there.context.clearCookies();
    await there.page.goto(`${stack.ui}/account`);
    await enter(there.page, user);
    await shows(there.page, 'Your account');
  });

  test('is offered to be kept after the second factor', async ({ stack, mailbox, newPerson }) => {
    const { context, page } = await newPerson(withoutScript);
    const user = await openAccount(page, stack, mailbox);
    const { recoveryCodes } = await addAuthenticator(page, stack);
    await page.goto(`${stack.ui}/account/delete`);
    await page.click('#accept');
    await shows(page, 'Your account will be deleted');
    await context.clearCookies();
    await page.goto(`${stack.ui}/account`);
    await enter(page, user);
    await shows(page, 'Confirm that it is you');
    await page.click('#use-recovery_code');
    await page.fill('#code', recoveryCodes[0] ?? '');
    await page.click('#accept');
    await shows(page, 'Keep your account?');
    await page.click('#accept');
    await shows(page, 'Your account');
  });

  test('asks for the password again five minutes after the sign-in', async ({ stack, mailbox, newPerson }) => {
    const { page } = await newPerson(withoutScript);
    const user = await openAccount(page, stack, mailbox);
    stack.passTime(301);
    await page.goto(`${stack.ui}/account/delete`);
    await shows(page, 'Sign in');
    await enter(page, user);
    await shows(page, 'Delete your account?');
  });
});
