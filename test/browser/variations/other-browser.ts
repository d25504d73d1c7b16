import { describe, expect } from 'vitest';
import { catchRequest } from '../interception.ts';
import { allow, cookieNames, dana, enter, goToLogin, grace, logIn, shows, signIn, tableOf } from '../steps.ts';
import { test } from '../test.ts';

const refused = 'This sign-in began in another browser';

describe('a link from a sign-in that somebody else began', () => {
  test('to the consent page gives the sender nothing', async ({ stack, newPerson }) => {
    const [sender, victim] = [await newPerson(), await newPerson()];
    await goToLogin(sender.page, stack);
    await logIn(sender.page, grace);
    await victim.page.goto(sender.page.url());
    await victim.page.click('#accept');
    await shows(victim.page, refused);
    expect(await cookieNames(victim.context)).toEqual([]);
  });

  test('with a consent_verifier in it does not sign anybody in as the sender', async ({ stack, newPerson }) => {
    const [sender, victim] = [await newPerson(), await newPerson()];
    await goToLogin(sender.page, stack);
    await logIn(sender.page, grace);
    const url = await catchRequest(sender.page, 'consent_verifier', () => sender.page.click('#accept'));

    await victim.page.goto(url);
    await shows(victim.page, refused);
    expect(await cookieNames(victim.context)).toEqual([]);
    await signIn(victim.page, stack, dana);
    expect(await tableOf(victim.page, 'id-token')).toMatchObject({ sub: dana.subject });
  });

  test('with a code in it is refused by the application', async ({ stack, newPerson }) => {
    const [sender, victim] = [await newPerson(), await newPerson()];
    await goToLogin(sender.page, stack);
    await logIn(sender.page, grace);
    const url = await catchRequest(sender.page, 'code', () => sender.page.click('#accept'));
    await victim.page.goto(url);
    await shows(victim.page, 'Sign-in did not work');
    await victim.page.click('#try-again');
    await logIn(victim.page, dana);
    await allow(victim.page, dana);
  });

  test('tells who followed it nothing of it, and spoils neither their own sign-in nor the sender’s', async ({
    stack,
    newPerson,
  }) => {
    const [sender, victim] = [await newPerson(), await newPerson()];
    await goToLogin(sender.page, stack);
    await victim.page.goto(sender.page.url());
    await enter(victim.page, dana);
    await shows(victim.page, refused);
    expect(await victim.page.locator('a, form').count()).toBe(0);
    await signIn(victim.page, stack, dana);
    await logIn(sender.page, grace);
    await allow(sender.page, grace);
  });
});
