import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBrowser } from '../packages/provider/test/browser.ts';
import { redirectUri, type TestClient } from '../packages/provider/test/clients.ts';
import { authorize, redeem, refresh } from '../packages/provider/test/login.ts';
import { type Example, startExample } from './example-program.ts';

export interface Mounted {
  readonly folder: URL;
  /** The path of the issuer, `''` for none. */
  readonly issuerPath: string;
  /** What the framework itself says where there is nothing. */
  readonly notFound: RegExp;
}

const register = async ({ admin }: Pick<Example, 'admin'>): Promise<TestClient> => {
  const response = await fetch(`${admin}/admin/clients`, {
    method: 'POST',
    body: JSON.stringify({
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid offline_access profile',
    }),
  });
  const { client_id: id, client_secret: secret } = (await response.json()) as Record<string, string>;
  return { id: String(id), secret };
};

/** What holds for every example that mounts the provider beside an application's own routes. */
export const testMounted = ({ folder, issuerPath, notFound }: Mounted): void => {
  let example: Example;
  beforeAll(async () => {
    example = await startExample(folder, issuerPath);
  });
  afterAll(() => example?.stop());

  test('the application answers its own route', async () => {
    const response = await fetch(`${example.origin}/hello`);
    expect([response.status, await response.text()]).toEqual([200, 'Hello from the application.\n']);
    expect(response.headers.has('content-security-policy')).toBe(false);
  });

  test.each(['/nothing', '/health/alive', `${issuerPath}/nothing`, `${issuerPath}/oauth2/auth/x`, '/admin/clients'])(
    "%s is left to the application's own 404",
    async (path) => {
      const response = await fetch(example.origin + path);
      expect(response.status).toBe(404);
      expect(await response.text()).toMatch(notFound);
    },
  );

  test.each([
    `${issuerPath}/.well-known/openid-configuration`,
    `${issuerPath}/.well-known/oauth-authorization-server`,
    `/.well-known/oauth-authorization-server${issuerPath}`,
  ])('%s names addresses below the issuer that answer', async (path) => {
    const response = await fetch(example.origin + path);
    const metadata = (await response.json()) as Record<string, unknown>;
    expect(metadata.issuer).toBe(example.issuer);
    const urls = Object.entries(metadata).filter(([name]) => /_(?:endpoint|uri)$/.test(name));
    expect(urls.length).toBeGreaterThanOrEqual(6);
    for (const [name, url] of urls) {
      expect(String(url).startsWith(`${example.issuer}/`)).toBe(true);
      const method = /^(?:token|revocation)_/.test(name) ? 'POST' : 'GET';
      const { status } = await fetch(String(url), { method, redirect: 'manual' });
      expect(`${name}: ${status}`).not.toBe(`${name}: 404`);
    }
  });

  test('a person logs in, and the host having read the bodies, code and refresh token are redeemed', async () => {
    const client = await register(example);
    const url = await authorize(example, client, { browser: createBrowser() });
    expect(url.searchParams.get('iss')).toBe(example.issuer);
    const tokens = await redeem(example, client, url.searchParams.get('code') ?? '');
    expect(tokens.status).toBe(200);
    const renewed = await refresh(example, client, tokens.body.refresh_token);
    expect(renewed.status).toBe(200);
    const userinfo = await fetch(`${example.issuer}/userinfo`, {
      headers: { authorization: `Bearer ${renewed.body.access_token}` },
    });
    expect(await userinfo.json()).toMatchObject({ sub: 'alice' });
  });

  test('a form that names a parameter twice is refused, parsed by the host or not', async () => {
    const response = await fetch(`${example.issuer}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams([
        ['grant_type', 'refresh_token'],
        ['grant_type', 'client_credentials'],
      ]),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  });
};
