import { describe, expect } from 'vitest';
import { dana, enter, goToLogin } from '../steps.ts';
import { test } from '../test.ts';

describe('the language of the pages', () => {
  test('is that of the browser until the user chooses another, which stays', async ({ stack, newPerson }) => {
    const { page } = await newPerson({ locale: 'fr-CA', javaScriptEnabled: false });
    await page.goto(stack.application);
    await page.click('#sign-in');
    expect(await page.locator('h1').textContent()).toBe('Se connecter');
    await page.click('.languages summary');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    expect(await page.locator('h1').textContent()).toBe('Anmelden');
    await enter(page, dana);
    await page.waitForSelector('#openid');
    expect(await page.locator('h1').textContent()).toBe('Zugriff erlauben?');
    await page.goto(stack.ui);
    expect(await page.getAttribute('html', 'lang')).toBe('de');
  });
});

describe('the password', () => {
  test('can be shown, and is hidden again when the form is sent', async ({ stack, person: { page } }) => {
    await goToLogin(page, stack);
    const password = page.locator('#password');
    const button = page.getByRole('button', { name: 'Show password' });
    await page.fill('#email', 'absent@example.com');
    await password.fill('shown');
    await button.click();
    expect([await password.getAttribute('type'), await button.getAttribute('aria-pressed')]).toEqual(['text', 'true']);
    await button.click();
    expect([await password.getAttribute('type'), await button.getAttribute('aria-pressed')]).toEqual([
      'password',
      'false',
    ]);
    await button.click();
    await page.evaluate(() => document.forms[0]?.addEventListener('submit', (event) => event.preventDefault()));
    await page.click('#accept');
    expect(await password.getAttribute('type')).toBe('password');
  });

  test('has no button without JavaScript', async ({ stack, newPerson }) => {
    const { page } = await newPerson({ javaScriptEnabled: false });
    await goToLogin(page, stack);
    expect(await page.getByRole('button', { name: 'Show password' }).count()).toBe(0);
  });

  test('when it is wrong, has a message with the focus that leads to it', async ({ stack, person: { page } }) => {
    await goToLogin(page, stack);
    await enter(page, { email: 'absent@example.com', password: 'not-the-password' });
    await page.waitForSelector('#message');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('message');
    await page.click('#message a');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('password');
    expect(await page.getAttribute('#password', 'aria-invalid')).toBe('true');
  });
});
