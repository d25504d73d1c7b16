import { describe, expect } from 'vitest';
import type { Stack } from '../stack.ts';
import { dana, enter, logIn, shows } from '../steps.ts';
import { test } from '../test.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
const clientId = 'living-room';

const post = async (url: string, params: Record<string, string>) => {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ client_id: clientId, ...params }) });
  return (await response.json()) as Record<string, string>;
};

/** What a television does, which has no browser. */
const startDevice = async ({ issuer, admin }: Pick<Stack, 'issuer' | 'admin'>) => {
  const metadata = {
    client_id: clientId,
    client_name: 'Living room',
    grant_types: [grantType],
    scope: 'openid profile',
    token_endpoint_auth_method: 'none',
    skip_consent: true,
  };
  // There already, from the second time on.
  await fetch(`${admin}/admin/clients`, { method: 'POST', body: JSON.stringify(metadata) });
  const codes = await post(`${issuer}/oauth2/device/auth`, { scope: 'openid profile' });
  const poll = () => post(`${issuer}/oauth2/token`, { grant_type: grantType, device_code: codes.device_code ?? '' });
  return { link: String(codes.verification_uri_complete), code: String(codes.user_code), ...codes, poll };
};

describe('connecting a device', () => {
  test('by the link that it shows: the code is compared, and consent asked for, whatever the client', async ({
    stack,
    newPerson,
  }) => {
    const { page } = await newPerson({ javaScriptEnabled: false });
    const device = await startDevice(stack);
    await page.goto(device.link);
    await shows(page, 'Is this the code on your device?');
    expect(await page.inputValue('#user_code')).toBe(device.code);
    await page.click('#verify');
    await shows(page, 'Sign in');
    await logIn(page, dana);
    expect(await page.locator('#device-caution').count()).toBe(1);
    expect(await device.poll()).toMatchObject({ error: 'authorization_pending' });
    await page.click('#accept');
    await shows(page, 'Your device is connected');
    expect(await device.poll()).toMatchObject({ token_type: 'Bearer', id_token: expect.any(String) });
  });

  test('by typing its code, wrong at first', async ({ stack, person: { page, context } }) => {
    const device = await startDevice(stack);
    await page.goto(`${stack.issuer}/oauth2/device/verify`);
    await shows(page, 'Connect a device');
    await page.fill('#user_code', 'bbbb-bbbb');
    await page.click('#verify');
    await page.locator('#message').waitFor();
    expect(await page.inputValue('#user_code')).toBe('bbbb-bbbb');
    await page.fill('#user_code', `${device.code.slice(0, 4)} ${device.code.slice(4).toLowerCase()}`);
    await page.click('#verify');
    await shows(page, 'Sign in');
    await enter(page, dana);
    await shows(page, 'Allow access?');
    await page.click('#reject');
    await shows(page, 'The request failed');
    expect(await device.poll()).toMatchObject({ error: 'access_denied' });
    expect((await context.cookies()).map(({ name }) => name)).toEqual([]);
  });
});
