import type { IncomingHttpHeaders } from 'node:http';
import { listen } from '@carnet/test-servers/listen';
import { describe, expect } from 'vitest';
import { allow, cookieNames, dana, enter, goToLogin, grace, logIn, shows, signIn, tableOf } from '../steps.ts';
import { test } from '../test.ts';

describe('signing in', () => {
  test('ends at the application with the claims of who logged in', async ({ stack, person: { page } }) => {
    await signIn(page, stack, dana);
    expect(page.url()).toBe(`${stack.application}/`);
    expect(await tableOf(page, 'id-token')).toMatchObject({
      iss: stack.issuer,
      sub: dana.subject,
      name: dana.name,
      email: dana.email,
      aud: 'carnet-demo',
    });
    expect(await tableOf(page, 'userinfo')).toMatchObject({ sub: dana.subject, email: dana.email });
    expect(await tableOf(page, 'tokens')).toMatchObject({ scope: 'openid offline_access profile email' });
  });

  test('needs no JavaScript', async ({ stack, newPerson }) => {
    const { page } = await newPerson({ javaScriptEnabled: false });
    await signIn(page, stack, grace);
    expect(await tableOf(page, 'id-token')).toMatchObject({ sub: grace.subject, email: grace.email });
  });

  test('shows the logo of the client, whose host gets neither a cookie nor the address of the page', async ({
    stack,
    person: { page },
  }) => {
    const asked: IncomingHttpHeaders[] = [];
    const { port, close } = await listen(({ headers }, response) => {
      asked.push(headers);
      response.writeHead(200, { 'content-type': 'image/svg+xml' });
      response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48"><rect width="48" height="48"/></svg>',
      );
    });
    // Cookies of a host are sent to all of its ports: the host is another one.
    const logo = `http://localhost:${port}/logo.svg`;
    const patch = async (changes: readonly object[]) => {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'PATCH', headers, body: JSON.stringify(changes) };
      expect((await fetch(`${stack.admin}/admin/clients/carnet-demo`, init)).status).toBe(200);
    };
    try {
      await patch([{ op: 'add', path: '/logo_uri', value: logo }]);
      await goToLogin(page, stack);
      await logIn(page, dana);
      const picture = page.locator('.client-logo');
      expect(await picture.getAttribute('src')).toBe(logo);
      await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(48);
      expect(asked).toHaveLength(1);
      expect(asked[0]).not.toMatchObject({ cookie: expect.anything() });
      expect(asked[0]).not.toMatchObject({ referer: expect.anything() });
    } finally {
      await patch([{ op: 'remove', path: '/logo_uri' }]);
      await close();
    }
  });

  test('grants what was left ticked and no more', async ({ stack, person: { page } }) => {
    await goToLogin(page, stack);
    await logIn(page, dana);
    await page.uncheck('#email');
    await page.uncheck('#offline_access');
    await allow(page, dana);
    expect(await tableOf(page, 'userinfo')).not.toHaveProperty('email');
    expect(await tableOf(page, 'tokens')).toMatchObject({ scope: 'openid profile', 'refresh token': 'none' });
  });

  test('leaves no cookie of the flow or of its forms behind', async ({ stack, person: { context, page } }) => {
    const kinds = async () => (await cookieNames(context)).map((name) => name.split('_').slice(0, 2).join('_'));
    await goToLogin(page, stack);
    expect((await kinds()).sort()).toEqual(['carnet_flow', 'carnet_form', 'relying_party']);
    await logIn(page, dana);
    await allow(page, dana);
    expect(await kinds()).toEqual(['relying_party']);
  });

  test('shows the form again after a wrong password, with the email address and without the password', async ({
    stack,
    person: { page },
  }) => {
    await goToLogin(page, stack);
    await enter(page, { ...dana, password: 'not-the-password' });
    expect(await page.locator('#message').textContent()).toBe('Wrong user name or password.');
    expect(await page.inputValue('#email')).toBe(dana.email);
    expect(await page.inputValue('#password')).toBe('');
    await page.fill('#password', dana.password);
    await page.click('#accept');
    await shows(page, 'Allow access?');
    await allow(page, dana);
  });
});

describe('saying no', () => {
  test.for([
    { where: 'at the login', steps: goToLogin },
    {
      where: 'at the consent',
      steps: async (...[page, stack]: Parameters<typeof goToLogin>) => {
        await goToLogin(page, stack);
        await logIn(page, dana);
      },
    },
  ])(
    '$where ends at the application, which says so and offers to try again',
    async ({ steps }, { stack, person: { context, page } }) => {
      await steps(page, stack);
      await page.click('#reject');
      await shows(page, 'You were not signed in');
      expect(new URL(page.url()).origin).toBe(stack.application);
      expect(await page.locator('#error').textContent()).toBe('access_denied');
      expect(await cookieNames(context)).toEqual(['relying_party']);
      await page.click('#try-again');
      await shows(page, 'Sign in');
      await logIn(page, grace);
      await allow(page, grace);
    },
  );
});
