import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { enter, shows } from '../steps.ts';
import { openAccount } from './steps.ts';
import { test } from './test.ts';

const withoutScript = { javaScriptEnabled: false };

/** On the account page: asks for a new address. */
const request = async (page: Page, email: string): Promise<void> => {
  await page.click('#change-email');
  await page.fill('#email', email);
  await page.click('#accept');
  await shows(page, 'Check your email');
};

describe('the email address of an account', () => {
  test('is changed by the link that was sent to the new one, and the user signs in with it', async ({
    stack,
    mailbox,
    newPerson,
  }) => {
    const { context, page } = await newPerson(withoutScript);
    const user = await openAccount(page, stack, mailbox);
    const email = `new.${user.email}`;
    await page.click('#change-email');
    await page.fill('#email', user.email);
    await page.click('#accept');
    await page.locator('#message').waitFor();
    await page.fill('#email', email);
    await page.click('#accept');
    await shows(page, 'Check your email');
    const link = await mailbox.linkFor(email);
    await page.goto(link);
    await shows(page, 'Confirm your email address');
    expect(await page.textContent('main')).toContain(email);
    await page.click('#accept');
    await page.locator('#saved').waitFor();
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
    newPerson,
  }) => {
    const [owner, thief] = [await newPerson(withoutScript), await newPerson(withoutScript)];
    const user = await openAccount(owner.page, stack, mailbox);
    await thief.page.goto(`${stack.ui}/account`);
    await enter(thief.page, user);
    await shows(thief.page, 'Your account');
    const email = `thief.${user.email}`;
    await request(thief.page, email);
    const link = await mailbox.linkFor(email);
    await owner.page.goto(link);
    await shows(owner.page, 'Open the link in the other browser');

    // The notice to the address of the owner names the remedy.
    expect(await mailbox.nextTo(user.email, 'was requested')).toContain('change your password now');
    await owner.page.goto(`${stack.ui}/account/password`);
    await owner.page.fill('#current', user.password);
    await owner.page.fill('#next', 'a second long password');
    await owner.page.click('#accept');
    await owner.page.locator('#saved').waitFor();
    await thief.page.goto(link);
    await shows(thief.page, 'Sign in');
    await owner.page.goto(`${stack.ui}/account`);
    expect(await owner.page.textContent('#profile')).toContain(user.email);
  });

  test('of another user gets a different email, and the page looks the same', async ({ stack, mailbox, newPerson }) => {
    const [ada, bob] = [await newPerson(withoutScript), await newPerson(withoutScript)];
    const taken = await openAccount(ada.page, stack, mailbox);
    await openAccount(bob.page, stack, mailbox);
    await request(bob.page, taken.email);
    const shown = (await bob.page.textContent('main'))?.replaceAll(taken.email, '');
    expect(await mailbox.nextTo(taken.email, 'already belongs')).not.toContain('token=');
    await bob.page.click('#back');
    await request(bob.page, `free.${taken.email}`);
    expect((await bob.page.textContent('main'))?.replaceAll(`free.${taken.email}`, '')).toBe(shown);
  });

  test('asks for the password again five minutes after the sign-in', async ({ stack, mailbox, newPerson }) => {
    const { page } = await newPerson(withoutScript);
    const user = await openAccount(page, stack, mailbox);
    stack.passTime(301);
    await page.goto(`${stack.ui}/account/email`);
    await shows(page, 'Sign in');
    await enter(page, user);
    await shows(page, 'Change your email address');
  });
});
