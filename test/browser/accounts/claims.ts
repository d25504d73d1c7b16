import { listen } from '@carnet/test-servers/listen';
import { decodeJwt } from 'jose';
import { describe, expect, onTestFinished } from 'vitest';
import { enter, shows } from '../steps.ts';
import { test } from './test.ts';

type Json = Readonly<Record<string, unknown>>;

/** The redirect URI of an application that shows nothing. */
const startApplication = async (): Promise<string> => {
  const { origin, close } = await listen((_request, response) =>
    response.end('<!doctype html><title>Signed in</title>'),
  );
  onTestFinished(close);
  return `${origin}/callback`;
};

const post = async (url: string, body: URLSearchParams | string): Promise<Json> =>
  (await (await fetch(url, { method: 'POST', body })).json()) as Json;

describe('the groups and a claim of the operator, of a user in LDAP', () => {
  test('are in the ID token, at userinfo, in the JWT access token, at introspection, and in refreshed tokens', async ({
    stack,
    slapd,
    newPerson,
  }) => {
    const { page } = await newPerson({ javaScriptEnabled: false });
    const redirectUri = await startApplication();
    const client = { client_id: 'intranet', client_secret: 'secret-of-the-intranet' };
    const metadata = {
      ...client,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid groups staff offline_access',
      token_endpoint_auth_method: 'client_secret_post',
      access_token_strategy: 'jwt',
    };
    await post(`${stack.admin}/admin/clients`, JSON.stringify(metadata));
    const request = {
      client_id: client.client_id,
      response_type: 'code',
      redirect_uri: redirectUri,
      state: 'a-state-1',
    };
    await page.goto(`${stack.issuer}/oauth2/auth?${new URLSearchParams({ ...request, scope: metadata.scope })}`);
    await enter(page, { email: 'ada@corp.example', password: slapd.user('ada').password });
    await shows(page, 'Allow access?');
    expect(await page.textContent('label[for=groups]')).toContain('See your groups');
    await page.click('#accept');
    await page.waitForURL(`${redirectUri}?*`);

    const code = new URL(page.url()).searchParams.get('code') ?? '';
    const exchange = (form: Record<string, string>) =>
      post(`${stack.issuer}/oauth2/token`, new URLSearchParams({ ...client, ...form }));
    const tokens = await exchange({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
    const claims = { groups: ['engineering', 'numbered'], department: 'staff' };
    const refreshed = await exchange({ grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) });
    for (const { id_token: idToken, access_token: accessToken } of [tokens, refreshed]) {
      expect(decodeJwt(String(idToken))).toMatchObject(claims);
      expect(decodeJwt(String(accessToken))).toMatchObject({ ext: claims });
      const authorization = `Bearer ${accessToken}`;
      const userinfo = await fetch(`${stack.issuer}/userinfo`, { headers: { authorization } });
      expect(await userinfo.json()).toMatchObject(claims);
      const form = new URLSearchParams({ token: String(accessToken) });
      expect(await post(`${stack.admin}/admin/oauth2/introspect`, form)).toMatchObject({ active: true, ext: claims });
    }
  });
});
