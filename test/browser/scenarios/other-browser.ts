import { describe, expect } from 'vitest';
import { catchRequest } from '../interception.ts';
import { cookieNames, dana, enter, goToLogin, grace, shows, signIn, tableOf } from '../steps.ts';
import { test } from '../test.ts';

const refused = 'This sign-in began in another browser';

describe('a link from a sign-in that somebody else began', () => {
  test('to the login page logs nobody in: neither who followed it nor who sent it', async ({ stack, newPerson }) => {
    const [sender, victim] = [await newPerson(), await newPerson()];
    await goToLogin(sender.page, stack);
    await victim.page.goto(sender.page.url());
    await enter(victim.page, dana);
    await shows(victim.page, refused);
    expect(await cookieNames(victim.context)).toEqual([]);

    await sender.page.goto(stack.application);
    await shows(sender.page, 'Carnet demo');
  });

  test('with a login_verifier in it does not sign anybody in as the sender', async ({ stack, newPerson }) => {
    const [sender, victim] = [await newPerson(), await newPerson()];
    await goToLogin(sender.page, stack);
    const url = await catchRequest(sender.page, 'login_verifier', () => enter(sender.page, grace));

    await victim.page.goto(url);
    await shows(victim.page, refused);
    expect(await cookieNames(victim.context)).toEqual([]);
    await signIn(victim.page, stack, dana);
    expect(await tableOf(victim.page, 'id-token')).toMatchObject({ sub: dana.subject });
  });
});
