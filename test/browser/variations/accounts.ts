import { describe } from 'vitest';
import { totpCode } from '../../../packages/accounts/test/totp-code.ts';
import { addAuthenticator, beginAuthenticator, goToFactor } from '../accounts/steps.ts';
import { test } from '../accounts/test.ts';
import { enter, shows, submit } from '../steps.ts';

describe('a second factor', () => {
  test('that took too long starts again', async ({ stack, owner: { context, page, user } }) => {
    const { key } = await addAuthenticator(page, stack);
    await context.clearCookies();
    await goToFactor(page, stack, user);
    stack.passTime(700);
    await submit(page, { code: totpCode(key, stack.now()) });
    await shows(page, 'This sign-in took too long');
    await page.click('#start-again');
    await shows(page, 'Sign in');
  });
  test('takes the code of a new authenticator also if the user needed more than five minutes for it', async ({
    stack,
    owner: { page },
  }) => {
    const key = await beginAuthenticator(page);
    stack.passTime(301);
    await submit(page, { code: totpCode(key, stack.now()) });
    await shows(page, 'Save your recovery codes');
  });
});

describe('the email address', () => {
  test('of an account is changed only after the password is entered again, five minutes after the sign-in', async ({
    stack,
    owner: { page, user },
  }) => {
    stack.passTime(301);
    await page.goto(`${stack.ui}/account/email`);
    await shows(page, 'Sign in');
    await enter(page, user);
    await shows(page, 'Change your email address');
  });
});

describe('an account that its user deletes', () => {
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
