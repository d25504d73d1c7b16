import { describe, expect } from 'vitest';
import { enter, shows } from '../steps.ts';
import { signInToAccount } from './steps.ts';
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
});
