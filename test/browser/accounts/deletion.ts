import { describe, expect } from 'vitest';
import { enter, shows, submit } from '../steps.ts';
import { addAuthenticator, signInToAccount } from './steps.ts';
import { test, withoutScript } from './test.ts';

describe('an account that its user deletes', () => {
  test('signs the user out everywhere, and is kept by the next sign-in', async ({
    stack,
    mailbox,
    owner: { page, user },
    newPerson,
  }) => {
    const there = await newPerson(withoutScript);
    await signInToAccount(there.page, stack, user);

    await page.click('#delete-account');
    await shows(page, 'Delete your account?');
    await page.click('#back');
    await page.click('#delete-account');
    await page.click('#accept');
    await shows(page, 'Your account will be deleted');
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
    await signInToAccount(there.page, stack, user);
  });

  test('is offered to be kept after the second factor', async ({ stack, owner: { context, page, user } }) => {
    const { recoveryCodes } = await addAuthenticator(page, stack);
    await page.goto(`${stack.ui}/account/delete`);
    await page.click('#accept');
    await shows(page, 'Your account will be deleted');
    await context.clearCookies();
    await page.goto(`${stack.ui}/account`);
    await enter(page, user);
    await shows(page, 'Confirm that it is you');
    await page.click('#use-recovery_code');
    await submit(page, { code: recoveryCodes[0] ?? '' });
    await shows(page, 'Keep your account?');
    await page.click('#accept');
    await shows(page, 'Your account');
  });

  test('asks for the password again five minutes after the sign-in', async ({ stack, owner: { page, user } }) => {
    stack.passTime(301);
    await page.goto(`${stack.ui}/account/delete`);
    await shows(page, 'Sign in');
    await enter(page, user);
    await shows(page, 'Delete your account?');
  });
});
