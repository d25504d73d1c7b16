import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { enter, shows, submit } from '../steps.ts';
import { addAuthenticator, newUser, save, signInToAccount, signUp } from './steps.ts';
import { test, withoutScript } from './test.ts';

describe('the account page', () => {
  test('changes the name and the password', async ({ stack, owner: { context, page, user } }) => {
    await page.click('#edit-profile');
    await save(page, { name: 'Ada Example' });
    expect(await page.textContent('#profile')).toContain('Ada Example');

    await page.click('#change-password');
    await submit(page, { current: 'not the password', next: 'a second long password' });
    await page.locator('#message').waitFor();
    await save(page, { current: user.password, next: 'a second long password' });
    await context.clearCookies();
    await signInToAccount(page, stack, { ...user, password: 'a second long password' });
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

  test('removes a second factor', async ({ stack, owner: { page } }) => {
    await addAuthenticator(page, stack);
    await page.click('#factors .item a[href*=remove]');
    await save(page);
    expect(await page.locator('#factors .item').count()).toBe(0);
  });

  test('asks for the password again before a change, five minutes after the sign-in', async ({
    stack,
    owner: { page, user },
  }) => {
    stack.passTime(301);
    await page.reload();
    await shows(page, 'Your account');
    await page.click('#edit-profile');
    await shows(page, 'Sign in');
    await enter(page, user);
    await shows(page, 'Change your name');
  });

  test('ends a session in another browser', async ({ stack, owner: { page, user }, newPerson }) => {
    const { page: there } = await newPerson(withoutScript);
    await there.goto(`${stack.ui}/account`);
    await there.check('#remember');
    await enter(there, user);
    await shows(there, 'Your account');

    await page.reload();
    const items = page.locator('#sessions .item');
    expect(await items.count()).toBe(2);
    await items.filter({ hasNotText: 'this browser' }).locator('a').click();
    await save(page);
    expect(await items.count()).toBe(1);

    await there.reload();
    await shows(there, 'Choose an account');
  });

  test('ends in the browser of a thief, which is not remembered, after a new password and after signing out everywhere', async ({
    stack,
    owner: { page, user },
    newPerson,
  }) => {
    const thief = await newPerson(withoutScript);
    const isSignedOut = async () => {
      await thief.page.goto(`${stack.ui}/account/factors/add?kind=totp`);
      await shows(thief.page, 'Sign in');
    };

    await signInToAccount(thief.page, stack, user);
    const password = 'a second long password';
    await page.click('#change-password');
    await save(page, { current: user.password, next: password });
    await isSignedOut();

    stack.passTime(2);
    await thief.context.clearCookies();
    await signInToAccount(thief.page, stack, { ...user, password });
    await page.goto(`${stack.ui}/account/sessions/end-all`);
    await page.click('#accept');
    await shows(page, 'You are signed out');
    await isSignedOut();
  });

  test('signs out everywhere', async ({ owner: { page } }) => {
    await page.click('#end-all');
    await page.click('#accept');
    await shows(page, 'You are signed out');
    await page.click('#sign-in');
    await shows(page, 'Choose an account');
  });

  test('revokes an application', async ({ stack, owner: { page } }) => {
    await page.goto(stack.application);
    await page.click('#sign-in');
    await shows(page, 'Allow access?');
    await page.check('#remember');
    await page.click('#accept');
    await page.goto(`${stack.ui}/account`);
    expect(await page.textContent('#applications')).toContain('Carnet demo');
    await page.click('#applications .item a');
    await save(page);
    expect(await page.locator('#applications .item').count()).toBe(0);
    await page.context().clearCookies({ name: 'relying_party' });
    await page.goto(stack.application);
    await page.click('#sign-in');
    await shows(page, 'Allow access?');
  });

  test('signs the user out', async ({ stack, owner: { page } }) => {
    await page.click('#sign-out');
    await shows(page, 'You are signed out');
    await page.goto(`${stack.ui}/account`);
    await shows(page, 'Choose an account');
  });
});
