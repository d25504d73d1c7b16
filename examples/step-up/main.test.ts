import { createRemoteJWKSet } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBrowser, locationOf } from '../../packages/provider/test/browser.ts';
import { registerClient, type TestClient } from '../../packages/provider/test/clients.ts';
import { type Instance, start } from '../../packages/provider/test/harness.ts';
import { authorizationUrl, begin, decideAll, headless, redeem } from '../../packages/provider/test/login.ts';
import { type Listening, listen } from '../../test/servers/src/listen.ts';
import { createApp } from './src/app.ts';

const audience = 'https://bank.example';
const supportedAcrValues = ['urn:carnet:1fa', 'urn:carnet:2fa', 'phr'];

describe('the bank', () => {
  let instance: Instance;
  let client: TestClient;
  let bank: Listening;

  beforeAll(async () => {
    instance = await start({ config: { oidc: { supportedAcrValues } } });
    client = await registerClient(instance, 'app', { audience: [audience], access_token_strategy: 'jwt' });
    const keys = createRemoteJWKSet(new URL(`${instance.issuer}/.well-known/jwks.json`));
    bank = await listen(createApp({ issuer: instance.issuer, audience, keys }));
  });
  afterAll(async () => {
    await bank.close();
    await instance.stop();
  });

  const signIn = async (browser: ReturnType<typeof createBrowser>, params: Record<string, string>, acr: string) => {
    const challenge = await begin(browser, authorizationUrl(instance, client, { audience, ...params }));
    const { body: request } = await headless(instance, 'GET', `login?login_challenge=${challenge}`);
    const login = { remember: true, ...(request.skip ? {} : { acr, amr: ['pwd', 'otp'] }) };
    const consent = { grant_access_token_audience: [audience] };
    const end = locationOf(await browser.get(await decideAll(instance, browser, challenge, { login, consent })));
    return (await redeem(instance, client, end.searchParams.get('code') ?? '')).body;
  };
  const call = (path: string, token: unknown, method = 'GET') =>
    fetch(bank.origin + path, { method, headers: { authorization: `Bearer ${token}` } });

  test('shows the balance after a password, and asks for a second factor before a transfer', async () => {
    const browser = createBrowser();
    const first = await signIn(browser, {}, 'urn:carnet:1fa');
    expect((await call('/balance', first.access_token)).status).toBe(200);
    const refused = await call('/transfers', first.access_token, 'POST');
    expect(refused.status).toBe(401);
    const challenge = refused.headers.get('www-authenticate') ?? '';
    const [acr_values = '', max_age = ''] = ['acr_values', 'max_age'].map(
      (name) => new RegExp(`${name}="([^"]+)"`).exec(challenge)?.[1] ?? '',
    );
    expect(challenge).toContain('error="insufficient_user_authentication"');
    const second = await signIn(browser, { acr_values, max_age }, 'urn:carnet:2fa');
    expect((await call('/transfers', second.access_token, 'POST')).status).toBe(201);
    expect((await call('/transfers', first.access_token, 'POST')).status).toBe(401);
  });

  test('refuses ID tokens, tokens of another audience, and no token', async () => {
    const tokens = await signIn(createBrowser(), {}, 'urn:carnet:2fa');
    expect((await call('/balance', tokens.id_token)).status).toBe(401);
    expect((await call('/balance', 'x.y.z')).status).toBe(401);
    expect((await fetch(`${bank.origin}/balance`)).status).toBe(401);
  });
});
