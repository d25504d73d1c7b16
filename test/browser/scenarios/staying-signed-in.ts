import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import {
  allow,
  dana,
  grace,
  logIn,
  returnLater,
  shows,
  signIn,
  signInRemembered,
  tableOf,
  useAnother,
} from '../steps.ts';
import { test } from '../test.ts';

const tokensOf = (page: Page) => tableOf(page, 'tokens');

describe('staying signed in', () => {
  test('a remembered login and consent are asked for once', async ({ stack, person }) => {
    await signInRemembered(person.page, stack);
    const { auth_time: authTime } = await tableOf(person.page, 'id-token');
    await returnLater(person.page, stack);
    await shows(person.page, `Hello, ${dana.name}`);
    expect(await tableOf(person.page, 'id-token')).toMatchObject({ sub: dana.subject, auth_time: authTime });
  });

  test('a remembered login runs out, even if the browser keeps its cookie', async ({ stack, person }) => {
    await signInRemembered(person.page, stack);
    stack.passTime(3_601);
    await returnLater(person.page, stack);
    await shows(person.page, 'Choose an account');
    await person.page.getByRole('button', { name: dana.email }).first().click();
    await person.page.fill('#password', dana.password);
    await person.page.click('#accept');
    await shows(person.page, 'Allow access?');
  });

  test('tokens are refreshed', async ({ stack, person: { page } }) => {
    await signIn(page, stack, dana);
    const before = await tokensOf(page);
    expect(before).toMatchObject({ refreshes: '0' });
    await page.click('#refresh');
    await page.locator('#tokens td', { hasText: /^1$/ }).waitFor();
    const after = await tokensOf(page);
    expect(after['access token']).not.toBe(before['access token']);
    expect(await tableOf(page, 'userinfo')).toMatchObject({ sub: dana.subject });
  });
});

describe('signing out', () => {
  test('asks, ends the remembered login, and the next sign-in is asked for a password', async ({ stack, person }) => {
    const { context, page } = person;
    await signInRemembered(page, stack);
    await page.click('#sign-out');
    await shows(page, 'Sign out?');
    await page.click('#accept');
    await shows(page, 'Carnet demo');
    expect(page.url()).toBe(`${stack.application}/`);
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('carnet_session');
    await page.click('#sign-in');
    await useAnother(page);
    await logIn(page, grace);
    await allow(page, grace);
  });

  test('goes straight back to the application when no login is remembered', async ({ stack, person: { page } }) => {
    await signIn(page, stack, dana);
    await page.click('#sign-out');
    await shows(page, 'Carnet demo');
    await page.click('#sign-in');
    await shows(page, 'Sign in');
  });
});
