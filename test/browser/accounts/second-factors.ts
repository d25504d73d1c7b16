import { describe, expect } from 'vitest';
import { totpCode } from '../../../packages/accounts/test/totp-code.ts';
import { goToLogin, shows, submit, tableOf } from '../steps.ts';
import { addAuthenticator, goToFactor, openAccount } from './steps.ts';
import { test, withoutScript } from './test.ts';
import { addVirtualAuthenticator } from './virtual-authenticator.ts';

describe('a second factor', () => {
  test('is a code of an authenticator app, or a recovery code, each of them once', async ({
    stack,
    owner: { context, page, user },
  }) => {
    const { key, recoveryCodes } = await addAuthenticator(page, stack);
    expect(recoveryCodes.length).toBeGreaterThanOrEqual(8);
    await context.clearCookies();

    await goToFactor(page, stack, user);
    await submit(page, { code: '000000' });
    await page.locator('#message').waitFor();
    const code = totpCode(key, stack.now());
    await submit(page, { code });
    await shows(page, 'Allow access?');
    await page.click('#accept');
    await shows(page, `Hello, ${user.name}`);
    expect(await tableOf(page, 'id-token')).toMatchObject({ acr: 'urn:carnet:2fa' });
    await context.clearCookies();

    await goToFactor(page, stack, user);
    await submit(page, { code });
    await page.locator('#message').waitFor();
    await page.click('#use-recovery_code');
    await submit(page, { code: recoveryCodes[0] ?? '' });
    await shows(page, 'Allow access?');
    await context.clearCookies();

    await goToFactor(page, stack, user);
    await page.click('#use-recovery_code');
    await submit(page, { code: recoveryCodes[0] ?? '' });
    await page.locator('#message').waitFor();
  });
});

describe('a passkey', () => {
  test('is created on the account page and signs the user in without a password', async ({
    stack,
    person: { context, page },
  }) => {
    const authenticator = await addVirtualAuthenticator(page);
    const user = await openAccount(page, stack);
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

  test('is offered by the browser in the field of the user name', async ({ stack, person: { context, page } }) => {
    await addVirtualAuthenticator(page);
    await openAccount(page, stack);
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
