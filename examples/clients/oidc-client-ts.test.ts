import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../../test/browser/chromium.ts';
import { createApp } from './src/oidc-client-ts.ts';
import { type Stack, startStack } from './stack.ts';

interface SignedIn {
  readonly profile: Readonly<Record<string, unknown>>;
  readonly access_token: string;
  readonly refresh_token?: string;
}

/** What the test calls of the `UserManager` that the page creates. */
interface Manager {
  readonly metadataService: { getUserInfoEndpoint(): Promise<string> };
  signinRedirect(request: { readonly scope: string }): Promise<void>;
  signinSilent(): Promise<SignedIn>;
  revokeTokens(): Promise<void>;
  getUser(): Promise<SignedIn | null>;
}

declare const manager: Manager;

describe('oidc-client-ts in Chromium, with the registration of docs/guides/clients.md and its defaults', () => {
  let stack: Stack;
  let chromium: Awaited<ReturnType<typeof launchChromium>>;
  let origin: string;
  let tab: Awaited<ReturnType<typeof chromium.newPage>>;

  /** Until the application shows this user, or `none`. */
  const shows = (user: string) => tab.waitForSelector(`body[data-user="${user}"]`, { state: 'attached' });

  beforeAll(async () => {
    stack = await startStack();
    chromium = await launchChromium();
    ({ origin } = await stack.startApplication('oidc-client-ts', createApp));
    tab = await chromium.newPage();
    await tab.goto(origin);
    await shows('none');
    await tab.click('#sign-in');
    await shows('alice');
  });
  afterAll(async () => {
    await chromium?.close();
    await stack?.[Symbol.asyncDispose]();
  });

  const userInfoStatus = () =>
    tab.evaluate(async () => {
      const token = (await manager.getUser())?.access_token;
      const endpoint = await manager.metadataService.getUserInfoEndpoint();
      return (await fetch(endpoint, { headers: { authorization: `Bearer ${token}` } })).status;
    });

  test('signs in by redirects and calls userinfo from its own origin', async () => {
    const user = await tab.evaluate(() => manager.getUser());
    expect(user?.profile).toMatchObject({ sub: 'alice', name: 'Alice Example', email: 'alice@app.test' });
    expect(await userInfoStatus()).toBe(200);
  });

  test('renews its tokens in a frame', async () => {
    const before = await tab.evaluate(() => manager.getUser());
    const renewed = await tab.evaluate(() => manager.signinSilent());
    expect(renewed.profile.sub).toBe('alice');
    expect(renewed.access_token).not.toBe(before?.access_token);
  });

  test('renews its tokens with a refresh token, and revokes them', async () => {
    await tab.evaluate(() => {
      document.body.dataset.user = 'about to sign in again';
      // After this call has returned: the navigation would break it off.
      setTimeout(() => manager.signinRedirect({ scope: 'openid offline_access' }));
    });
    await shows('alice');
    const before = await tab.evaluate(() => manager.getUser());
    const renewed = await tab.evaluate(() => manager.signinSilent());
    expect(renewed.refresh_token).toBeTypeOf('string');
    expect(renewed.refresh_token).not.toBe(before?.refresh_token);
    expect(await userInfoStatus()).toBe(200);
    await tab.evaluate(() => manager.revokeTokens());
    const endpoint = await tab.evaluate(() => manager.metadataService.getUserInfoEndpoint());
    const response = await fetch(endpoint, { headers: { authorization: `Bearer ${renewed.access_token}` } });
    expect(response.status).toBe(401);
  });

  test('logs out, after which no frame renews its tokens', async () => {
    await tab.click('#sign-out');
    await shows('none');
    expect(await tab.evaluate(() => manager.getUser())).toBeNull();
    const failure = await tab.evaluate(() => manager.signinSilent().catch(({ error }: { error: string }) => error));
    expect(failure).toBe('login_required');
  });
});
