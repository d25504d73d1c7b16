import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBrowser, type FormBrowser, locationOf } from '../../packages/provider/test/browser.ts';
import { authorizationUrl, codeVerifier, token } from '../../packages/provider/test/login.ts';
import { findFreePort } from '../../test/servers/src/free-port.ts';
import { openTestOpenIdProvider, type TestOpenIdProvider } from '../../test/servers/src/identity-providers/index.ts';
import { type Example, startExample } from '../example-program.ts';

const client = { id: 'shop', secret: 'the-secret-of-the-shop' };
const redirectUri = 'http://127.0.0.1:9999/callback';
const claims = { name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true };

describe('the broker', () => {
  let upstream: TestOpenIdProvider;
  let example: Example;

  beforeAll(async () => {
    const port = `${await findFreePort()}`;
    const callback = `http://127.0.0.1:${port}/login/provider/google`;
    upstream = await openTestOpenIdProvider({ clientId: 'broker', clientSecret: 'secret', redirectUri: callback });
    upstream.users.set('ada', claims);
    example = await startExample(new URL('.', import.meta.url), '', {
      PORT: port,
      PROVIDER_ISSUER: upstream.issuer,
      GOOGLE_CLIENT_ID: 'broker',
      GOOGLE_CLIENT_SECRET: 'secret',
    });
  });
  afterAll(async () => {
    await example?.stop();
    await upstream?.close();
  });

  /** Follows the browser from the client to the provider. */
  const begin = async (browser: FormBrowser, params: Record<string, string> = {}): Promise<string> => {
    const asked = { redirect_uri: redirectUri, scope: 'openid email', ...params };
    const login = locationOf(await browser.get(authorizationUrl(example, client, asked)));
    return locationOf(await browser.get(login.href)).href;
  };
  const callbackUrl = (answer: string) => `${example.origin}/login/provider/google?${answer}`;

  const signIn = async (browser: FormBrowser, params?: Record<string, string>) => {
    const answer = await upstream.authorize(await begin(browser, params), { user: 'ada' });
    let next = locationOf(await browser.get(callbackUrl(answer)));
    while (!next.href.startsWith(redirectUri)) next = locationOf(await browser.get(next.href));
    const code = next.searchParams.get('code') ?? '';
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier };
    const { body } = await token(example, client, grant);
    const headers = { authorization: `Bearer ${body.access_token}` };
    return (await fetch(`${example.issuer}/userinfo`, { headers })).json();
  };

  test('signs in a user of the provider, who is the same one the next time', async () => {
    const first = await signIn(createBrowser());
    expect(first).toMatchObject({ ...claims, sub: expect.stringMatching(/^google\.[\w-]{43}$/) });
    expect(await signIn(createBrowser(), { prompt: 'login' })).toEqual(first);
  });

  test('refuses a user whose sign-in began in another browser, and one who stopped at the provider', async () => {
    const browser = createBrowser();
    const answer = await upstream.authorize(await begin(browser), { user: 'ada' });
    expect((await createBrowser().get(callbackUrl(answer))).status).toBe(401);
    const stopped = await upstream.authorize(await begin(browser), 'stop');
    expect((await browser.get(callbackUrl(stopped))).status).toBe(401);
  });
});
