import { describe, expect } from 'vitest';
import { startDevice } from '../device.ts';
import { cookieNames, dana, enter, logIn, shows } from '../steps.ts';
import { test } from '../test.ts';

describe('connecting a device', () => {
  test('by the link that it shows: the code is compared, and consent asked for, whatever the client', async ({
    stack,
    newPerson,
  }) => {
    const { page } = await newPerson({ javaScriptEnabled: false });
    const device = await startDevice(stack);
    await page.goto(device.link);
    await shows(page, 'Is this the code on your device?');
    const { code } = device;
    expect(code).toMatch(/^\w{4}-\w{4}$/);
    expect(await page.inputValue('#user_code')).toBe(code);
    await page.click('#verify');
    await shows(page, 'Sign in');
    await logIn(page, dana);
    expect(await page.locator('#device-caution').count()).toBe(1);
    const facts = await page.locator('#device-facts').textContent();
    for (const fact of [code, 'Living room', '127.0.0.1']) expect(facts).toContain(fact);
    expect(await device.poll()).toMatchObject({ error: 'authorization_pending' });
    await page.click('#accept');
    await shows(page, 'Your device is connected');
    expect(await device.poll()).toMatchObject({ token_type: 'Bearer', id_token: expect.any(String) });
  });

  test('can be refused by a user who did not start it', async ({ stack, person: { page } }) => {
    const device = await startDevice(stack);
    await page.goto(device.link);
    await page.click('#reject');
    await shows(page, 'Nothing was connected');
    expect(await device.poll()).toMatchObject({ error: 'authorization_pending' });
  });

  test('by typing its code, wrong at first', async ({ stack, person: { page, context } }) => {
    const device = await startDevice(stack);
    await page.goto(`${stack.issuer}/oauth2/device/verify`);
    await shows(page, 'Connect a device');
    await page.fill('#user_code', 'bbbb-bbbb');
    await page.click('#verify');
    await page.locator('#message').waitFor();
    expect(await page.inputValue('#user_code')).toBe('bbbb-bbbb');
    await page.fill('#user_code', device.code.replace('-', ' ').toLowerCase());
    await page.click('#verify');
    await shows(page, 'Sign in');
    await enter(page, dana);
    await shows(page, 'Allow access?');
    await page.click('#reject');
    await shows(page, 'The request failed');
    expect(await device.poll()).toMatchObject({ error: 'access_denied' });
    expect(await cookieNames(context)).toEqual([]);
  });
});
