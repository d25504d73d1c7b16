import { describe, expect } from 'vitest';
import { enter, goToLogin, shows, submit, tableOf } from '../steps.ts';
import { newUser, signUp } from './steps.ts';
import { test, withoutScript } from './test.ts';

describe('an account', () => {
  test('is created from the sign-in page, and the link of the email completes the sign-in', async ({
    stack,
    mailbox,
    newPerson,
  }) => {
    const { page } = await newPerson(withoutScript);
    const user = newUser();
    await goToLogin(page, stack);
    await signUp(page, mailbox, user);
    await shows(page, 'Allow access?');
    await page.click('#accept');
    await shows(page, `Hello, ${user.name}`);
    expect(await tableOf(page, 'id-token')).toMatchObject({ email: user.email, amr: '["pwd"]' });
  });

  test('is confirmed in another browser with a password that is chosen there: the one of the form is void', async ({
    stack,
    mailbox,
    newPerson,
  }) => {
    const [computer, phone] = [await newPerson(withoutScript), await newPerson(withoutScript)];
    const user = newUser();
    await goToLogin(computer.page, stack);
    await computer.page.click('#sign-up');
    await submit(computer.page, { email: user.email, password: user.password });
    await phone.page.goto(await mailbox.linkFor(user.email));
    const chosen = { ...user, password: 'chosen by the owner' };
    await submit(phone.page, { password: chosen.password });
    await shows(phone.page, 'Your account is ready');
    await phone.page.click('#continue');
    expect(await phone.page.inputValue('#email')).toBe(user.email);
    await enter(phone.page, user);
    await phone.page.locator('#message').waitFor();
    await enter(phone.page, chosen);
    await shows(phone.page, 'Your account');
  });

  test('is confirmed by a link once', async ({ stack, mailbox, newPerson }) => {
    const { page } = await newPerson(withoutScript);
    const user = newUser();
    await goToLogin(page, stack);
    await page.click('#sign-up');
    await submit(page, { email: user.email, password: user.password });
    const link = await mailbox.linkFor(user.email);
    await page.goto(link);
    await page.click('#accept');
    await shows(page, 'Allow access?');
    await page.goto(link);
    await shows(page, 'You already have an account');
  });
});

describe('a forgotten password', () => {
  test('is replaced by the link of an email', async ({ stack, mailbox, owner: { context, page, user } }) => {
    await context.clearCookies();
    await goToLogin(page, stack);
    await page.click('#forgot');
    await submit(page, { login: user.email });
    await shows(page, 'Check your email');
    await page.goto(await mailbox.linkFor(user.email));
    await submit(page, { password: 'another long password' });
    await shows(page, 'Your password has been changed');
    await page.click('#continue');
    await enter(page, user);
    await page.locator('#message').waitFor();
    await enter(page, { ...user, password: 'another long password' });
    await shows(page, 'Allow access?');
  });

  test('is answered for an unknown address as for a known one', async ({ stack, newPerson }) => {
    const { page } = await newPerson(withoutScript);
    await page.goto(`${stack.ui}/recovery`);
    await submit(page, { login: 'unknown@example.com' });
    await shows(page, 'Check your email');
  });
});
