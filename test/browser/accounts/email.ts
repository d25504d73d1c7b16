import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { enter, shows, submit } from '../steps.ts';
import { openAccount, save, signInToAccount } from './steps.ts';
import { test, withoutScript } from './test.ts';

/** On the account page: asks for a new address. */
const request = async (page: Page, email: string): Promise<void> => {
  await page.click('#change-email');
  await submit(page, { email });
  await shows(page, 'Check your email');
};

describe('the email address of an account', () => {
  test('is changed by the link that was sent to the new one, and the user signs in with it', async ({
    stack,
    mailbox,
    owner: { context, page, user },
  }) => {
    const email = `new.${user.email}`;
    await page.click('#change-email');
    await submit(page, { email: user.email });
    await page.locator('#message').waitFor();
    await submit(page, { email });
    await shows(page, 'Check your email');
    const link = await mailbox.linkFor(email);
    await page.goto(link);
    await shows(page, 'Confirm your email address');
    expect(await page.textContent('main')).toContain(email);
    await save(page);
    expect(await page.textContent('#profile')).toContain(email);
    expect((await mailbox.nextTo(user.email, 'was replaced')).length).toBeGreaterThan(0);

    await page.goto(link);
    await shows(page, 'Open the link in the other browser');
    await context.clearCookies();
    await page.goto(`${stack.ui}/account`);
    await enter(page, user);
    await page.locator('#message').waitFor();
    await enter(page, { ...user, email });
    await shows(page, 'Your account');
  });

  test('is not changed in a browser that did not ask for it, to which a thief has forwarded the link', async ({
    stack,
    mailbox,
    owner: { page, user },
    newPerson,
  }) => {
    const { page: thief } = await newPerson(withoutScript);
    await signInToAccount(thief, stack, user);
    const email = `thief.${user.email}`;
    await request(thief, email);
    const link = await mailbox.linkFor(email);
    await page.goto(link);
    await shows(page, 'Open the link in the other browser');

    // The notice to the address of the owner names the remedy.
    expect(await mailbox.nextTo(user.email, 'was requested')).toContain('change your password now');
    await page.goto(`${stack.ui}/account/password`);
    await save(page, { current: user.password, next: 'a second long password' });
    await thief.goto(link);
    await shows(thief, 'Sign in');
    await page.goto(`${stack.ui}/account`);
    expect(await page.textContent('#profile')).toContain(user.email);
  });

  test('of another user gets a different email, and the page looks the same', async ({
    stack,
    mailbox,
    owner: { user: taken },
    newPerson,
  }) => {
    const { page } = await newPerson(withoutScript);
    await openAccount(page, stack);
    await request(page, taken.email);
    const shown = (await page.textContent('main'))?.replaceAll(taken.email, '');
    expect(await mailbox.nextTo(taken.email, 'already belongs')).not.toContain('token=');
    await page.click('#back');
    await request(page, `free.${taken.email}`);
    expect((await page.textContent('main'))?.replaceAll(`free.${taken.email}`, '')).toBe(shown);
  });
});
