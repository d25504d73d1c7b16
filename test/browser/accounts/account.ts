import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { oneTimeCode } from '../one-time-code.ts';
import { enter, shows } from '../steps.ts';
import { addAuthenticator, newUser, openAccount, signUp } from './steps.ts';
import { test } from './test.ts';

const withoutScript = { javaScriptEnabled: false };

describe('the account page', () => {
  test('changes the name and the password', async ({ stack, mailbox, newPerson }) => {
    const { context, page } = await newPerson(withoutScript);
    const user = await openAccount(page, stack, mailbox);
    await page.click('#edit-profile');
    await page.fill('#name', 'Ada Example');
    await page.click('#accept');
    await page.locator('#saved').waitFor();
    expect(await page.textContent('#profile')).toContain('Ada Example');

    await page.click('#change-password');
    await page.fill('#current', 'not the password');
    await page.fill('#next', 'a second long password');
    await page.click('#accept');
    await page.locator('#message').waitFor();
    await page.fill('#current', user.password);
    await page.fill('#next', 'a second long password');
    await page.click('#accept');
    await page.locator('#saved').waitFor();
    await context.clearCookies();
    await page.goto(`${stack.ui}/account`);
    await enter(page, { ...user, password: 'a second long password' });
    await shows(page, 'Your account');
  });

  test('opens after a remembered sign-in that replaced an expired password', async ({ stack, slapd, newPerson }) => {
    const { page } = await newPerson(withoutScript);
    const { password } = slapd.user('must-change');
    await page.goto(`${stack.ui}/account`);
    await page.check('#remember');
    await enter(page, { email: 'must-change@corp.example', password });
    await shows(page, 'Choose a new password');
    await page.fill('#password', password);
    await page.fill('#next', 'a second long password');
    // To the beginning of a second: the change ends the sessions of the user in the second in which the sign-in is done.
    stack.passTime((1000 - (stack.now() % 1000)) / 1000);
    await page.click('#accept');
    await shows(page, 'Your account');
  });

  test('lists this browser also if its sign-in is not remembered, and exports the data of the user', async ({
    stack,
    mailbox,
    newPerson,
  }) => {
    const { page } = await newPerson(withoutScript);
    const user = newUser();
    await page.goto(`${stack.ui}/account`);
    await signUp(page, mailbox, user);
    await shows(page, 'Your account');
    const items = await page.locator('#sessions .item').allTextContents();
    expect(items).toEqual([expect.stringMatching(/this browser.*only until you close the browser/)]);
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('#export')]);
    expect(file.suggestedFilename()).toBe('account.json');
    const data = JSON.parse(readFileSync(await file.path(), 'utf8'));
    expect(data).toMatchObject({ claims: { email: user.email, name: user.name }, factors: [], sessions: [] });
  });

  test('removes a second factor', async ({ stack, mailbox, newPerson }) => {
    const { page } = await newPerson(withoutScript);
    await openAccount(page, stack, mailbox);
    await addAuthenticator(page, stack);
    await page.click('#factors .item a[href*=remove]');
    await page.click('#accept');
    await page.locator('#saved').waitFor();
    expect(await page.locator('#factors .item').count()).toBe(0);
  });

  test('takes the code of an authenticator also if the user needed more than five minutes for it', async ({
    stack,
    mailbox,
    newPerson,
  }) => {
    const { page } = await newPerson(withoutScript);
    await openAccount(page, stack, mailbox);
    await page.click('#add-totp');
    await page.click('#add-totp');
    await shows(page, 'Set up your authenticator app');
    const key = (await page.locator('#secret').textContent()) ?? '';
    stack.passTime(301);
    await page.fill('#code', oneTimeCode(key, stack.now()));
    await page.click('#accept');
    await shows(page, 'Save your recovery codes');
  });

  test('asks for the password again before a change, five minutes after the sign-in', async ({
    stack,
    mailbox,
    newPerson,
  }) => {
    const { page } = await newPerson(withoutScript);
    const user = await openAccount(page, stack, mailbox);
    stack.passTime(301);
    await page.reload();
    await shows(page, 'Your account');
    await page.click('#edit-profile');
    await shows(page, 'Sign in');
    await enter(page, user);
    await shows(page, 'Change your name');
  });

  test('ends a session in another browser', async ({ stack, mailbox, newPerson }) => {
    const [here, there] = [await newPerson(withoutScript), await newPerson(withoutScript)];
    const user = await openAccount(here.page, stack, mailbox);
    await there.page.goto(`${stack.ui}/account`);
    await there.page.check('#remember');
    await enter(there.page, user);
    await shows(there.page, 'Your account');

    await here.page.reload();
    const items = here.page.locator('#sessions .item');
    expect(await items.count()).toBe(2);
    await items.filter({ hasNotText: 'this browser' }).locator('a').click();
    await here.page.click('#accept');
    await here.page.locator('#saved').waitFor();
    expect(await items.count()).toBe(1);

    await there.page.reload();
    await shows(there.page, 'Choose an account');
  });

  test('ends in the browser of a thief, which is not remembered, after a new password and after signing out everywhere', async ({
    stack,
    mailbox,
    newPerson,
  }) => {
    const [owner, thief] = [await newPerson(withoutScript), await newPerson(withoutScript)];
    const user = await openAccount(owner.page, stack, mailbox);
    const signInAsThief = async (password: string) => {
      await thief.context.clearCookies();
      await thief.page.goto(`${stack.ui}/account`);
      await enter(thief.page, { ...user, password });
      await shows(thief.page, 'Your account');
    };
    const isSignedOut = async () => {
      await thief.page.goto(`${stack.ui}/account/factors/add?kind=totp`);
      await shows(thief.page, 'Sign in');
    };

    await signInAsThief(user.password);
    const password = 'a second long password';
    await owner.page.click('#change-password');
    await owner.page.fill('#current', user.password);
    await owner.page.fill('#next', password);
    await owner.page.click('#accept');
    await owner.page.locator('#saved').waitFor();
    await isSignedOut();

    stack.passTime(2);
    await signInAsThief(password);
    await owner.page.goto(`${stack.ui}/account/sessions/end-all`);
    await owner.page.click('#accept');
    await shows(owner.page, 'You are signed out');
    await isSignedOut();
  });

  test('signs out everywhere', async ({ stack, mailbox, newPerson }) => {
    const { page } = await newPerson(withoutScript);
    await openAccount(page, stack, mailbox);
    await page.click('#end-all');
    await page.click('#accept');
    await shows(page, 'You are signed out');
    await page.click('#sign-in');
    await shows(page, 'Choose an account');
  });

  test('revokes an application', async ({ stack, mailbox, newPerson }) => {
    const { page } = await newPerson(withoutScript);
    await openAccount(page, stack, mailbox);
    await page.goto(stack.application);
    await page.click('#sign-in');
    await shows(page, 'Allow access?');
    await page.check('#remember');
    await page.click('#accept');
    await page.goto(`${stack.ui}/account`);
    expect(await page.textContent('#applications')).toContain('Carnet demo');
    await page.click('#applications .item a');
    await page.click('#accept');
    await page.locator('#saved').waitFor();
    expect(await page.locator('#applications .item').count()).toBe(0);
    await page.context().clearCookies({ name: 'relying_party' });
    await page.goto(stack.application);
    await page.click('#sign-in');
    await shows(page, 'Allow access?');
  });

  test('signs the user out', async ({ stack, mailbox, newPerson }) => {
    const { page } = await newPerson(withoutScript);
    await openAccount(page, stack, mailbox);
    await page.click('#sign-out');
    await shows(page, 'You are signed out');
    await page.goto(`${stack.ui}/account`);
    await shows(page, 'Choose an account');
  });
});
