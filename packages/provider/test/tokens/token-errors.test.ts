import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { redirectUri } from '../clients.ts';
import { authorize, codeVerifier, type Json, login, redeem, refresh } from '../login.ts';

/** RFC 6749, section 5.2: errors are JSON, whatever else a client takes. */
describe('a request that fails, of a client that takes HTML', () => {
  const instance = startBeforeTests();
  const client = registerBeforeTests(instance, 'app', { token_endpoint_auth_method: 'none' });

  const ask = async (params: Readonly<Record<string, string>>) => {
    const response = await fetch(`${instance.issuer}/oauth2/token`, {
      method: 'POST',
      headers: { accept: 'text/html' },
      redirect: 'manual',
      body: new URLSearchParams({ client_id: client.id, resource: 'https://unheard-of.test', ...params }),
    });
    return { status: response.status, body: (await response.json()) as Json };
  };

  test('leaves a code as good as it was, and is no success to the audit log', async () => {
    const code = (await authorize(instance, client)).searchParams.get('code') ?? '';
    const refused = await ask({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    });
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_target']);
    expect(instance.log()).toContain('"outcome":"denied","reason":"invalid_target"');
    expect((await redeem(instance, client, code)).status).toBe(200);
  });

  test('uses no refresh token up', async () => {
    const { refresh_token } = await login(instance, client);
    const refused = await ask({ grant_type: 'refresh_token', refresh_token: String(refresh_token) });
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_target']);
    const first = await refresh(instance, client, refresh_token);
    expect(first.status).toBe(200);
    expect((await refresh(instance, client, first.body.refresh_token)).status).toBe(200);
  });

  test('the error of userinfo is JSON as well', async () => {
    const response = await fetch(`${instance.issuer}/userinfo`, {
      headers: { accept: 'text/html', authorization: 'Bearer x' },
      redirect: 'manual',
    });
    expect([response.status, ((await response.json()) as Json).error]).toEqual([401, 'invalid_token']);
  });
});
