import { describe, expect } from 'vitest';
import { oneTimeCode } from '../one-time-code.ts';
import { goToLogin, shows, tableOf } from '../steps.ts';
import { addAuthenticator, goToFactor, openAccount } from './steps.ts';
import { test } from './test.ts';
import { addVirtualAuthenticator } from './virtual-authenticator.ts';

const withoutScript = { javaScriptEnabled: false };

describe('a second factor', () => {
  test('is a code of an authenticator app, or a recovery code, each of them once', async ({
    stack,
    mailbox,
    newPerson,
  }) => {
    const { context, page } = await newPerson(withoutScript);
    const user = await openAccount(page, stack, mailbox);
    const { key, recoveryCodes } = await addAuthenticator(page, stack);
    expect(recoveryCodes.length).toBeGreaterThanOrEqual(8);
    await context.clearCookies();

    await goToFactor(page, stack, user);
    await page.fill('#code', '000000');
    await page.click('#accept');
    await page.locator('#message').waitFor();
    const code = oneTimeCode(key, stack.now());
    await page.fill('#code', code);
    await page.click('#accept');
    await shows(page, 'Allow access?');
    await page.click('#accept');
    await shows(page, `Hello, ${user.name}`);
    expect(await tableOf(page, 'id-token')).toMatchObject({ acr: 'urn:carnet:2fa' });
    await context.clearCookies();

    await goToFactor(page, stack, user);
    await page.fill('#code', code);
    await page.click('#accept');
    await page.locator('#message').waitFor();
    await page.click('#use-recovery_code');
    await page.fill('#code', recoveryCodes[0] ?? '');
    await page.click('#accept');
    await shows(page, 'Allow access?');
    await context.clearCookies();

    await goToFactor(page, stack, user);
    await page.click('#use-recovery_code');
    await page.fill('#code', recoveryCodes[0] ?? '');
    await page.click('#accept');
    await page.locator('#message').waitFor();
  });

  test('that took too long starts again', async ({ stack, mailbox, newPerson }) => {
    const { context, page } = await newPerson(withoutScript);
    const user = await openAccount(page, stack, mailbox);
    const { key } = await addAuthenticator(page, stack);
    await context.clearCookies();
    await goToFactor(page, stack, user);
    stack.passTime(700);
    await page.fill('#code', oneTimeCode(key, stack.now()));
    await page.click('#accept');
    await shows(page, 'This sign-in took too long');
    await page.click('#start-again');
    await shows(page, 'Sign in');
  });
});

describe('a passkey', () => {
  test('is created on the account page and signs the user in without a password', async ({
    stack,
    mailbox,
    person: { context, page },
  }) => {
    const authenticator = await addVirtualAuthenticator(page);
    const user = await openAccount(page, stack, mailbox);
    await page.click('#add-passkey');
    await page.fill('#label', 'Laptop');
    await page.click('#add-passkey');
    await page.click('#use-passkey');
    await shows(page, 'Save your recovery codes');
    await page.click('#continue');
    await shows(page, 'Your account');
    expect(await page.textContent('#passkeys')).toContain('Laptop');
    await context.clearCookies();

    await authenticator.setUserVerified(false);
    await goToLogin(page, stack);
    await page.click('#use-passkey');
    await page.locator('#passkey [role=alert]').waitFor();
    await authenticator.setUserVerified(true);
    await page.click('#use-passkey');
    await shows(page, 'Allow access?');
    await page.click('#accept');
    await shows(page, `Hello, ${user.name}`);
    expect(await tableOf(page, 'id-token')).toMatchObject({ acr: 'phr' });
  });

  test('is offered by the browser in the field of the user name', async ({
    stack,
    mailbox,
    person: { context, page },
  }) => {
    await addVirtualAuthenticator(page);
    await openAccount(page, stack, mailbox);
    await page.click('#add-passkey');
    await page.click('#add-passkey');
    await page.click('#use-passkey');
    await shows(page, 'Save your recovery codes');
    await context.clearCookies();
    await page.goto(stack.application);
    await page.click('#sign-in');
    // The virtual user takes the offer at once.
    await shows(page, 'Allow access?');
  });

  test('is offered to no browser without JavaScript', async ({ stack, newPerson }) => {
    const { page } = await newPerson(withoutScript);
    await goToLogin(page, stack);
    expect(await page.isVisible('#use-passkey')).toBe(false);
  });
});
