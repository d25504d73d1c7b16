import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBrowser, type FormBrowser, locationOf } from '../../packages/provider/test/browser.ts';
import { authorizationUrl, codeVerifier, token } from '../../packages/provider/test/login.ts';
import { type Example, startExample } from '../example-program.ts';

const tenants = Array.from({ length: 50 }, (_, index) => `tenant-${index + 1}`);
const redirectUri = 'http://127.0.0.1:9999/callback';

describe('fifty issuers in one Express application', () => {
  let example: Example;
  beforeAll(async () => {
    example = await startExample(new URL('.', import.meta.url), '');
  });
  afterAll(() => example?.stop());

  const clientOf = (tenant: string) => ({ id: 'shop', secret: `secret-of-the-shop-of-${tenant}` });
  const issuerOf = (tenant: string) => `${example.origin}/t/${tenant}`;

  /** The URL that the client of a tenant gets after a sign-in. */
  const signIn = async (browser: FormBrowser, tenant: string): Promise<URL> => {
    const at = { ...example, issuer: issuerOf(tenant) };
    const params = { redirect_uri: redirectUri, scope: 'openid email' };
    const login = locationOf(await browser.get(authorizationUrl(at, clientOf(tenant), params)));
    const user = { email: `demo@${tenant}.example`, password: 'carnet-demo' };
    const accepted = locationOf(await browser.post(login.href, user));
    const consent = locationOf(await browser.get(accepted.href));
    const decided = locationOf(await browser.post(consent.href, {}));
    return locationOf(await browser.get(decided.href));
  };

  const redeem = (tenant: string, issuer: string, code: string) => {
    const params = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier };
    return token({ ...example, issuer }, clientOf(tenant), params);
  };

  test('one browser signs in at all of them, and each issues tokens in its own name', async () => {
    const browser = createBrowser();
    for (const tenant of tenants) {
      const url = await signIn(browser, tenant);
      expect(url.searchParams.get('iss')).toBe(issuerOf(tenant));
      const { status, body } = await redeem(tenant, issuerOf(tenant), url.searchParams.get('code') ?? '');
      expect(status).toBe(200);
      const claims = JSON.parse(Buffer.from(String(body.id_token).split('.')[1] ?? '', 'base64url').toString());
      expect(claims).toMatchObject({ iss: issuerOf(tenant), email: `demo@${tenant}.example` });
    }
  }, 180_000);

  test('an issuer refuses the code and the client of another', async () => {
    const [one = '', other = ''] = tenants;
    const url = await signIn(createBrowser(), one);
    const code = url.searchParams.get('code') ?? '';
    expect(await redeem(one, issuerOf(other), code)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(await redeem(other, issuerOf(other), code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await redeem(one, issuerOf(one), code)).status).toBe(200);
  });

  test('the metadata of each issuer is at both places of RFC 8414 and OpenID Connect Discovery', async () => {
    for (const path of [
      '/t/tenant-7/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server/t/tenant-7',
    ])
      expect(await (await fetch(example.origin + path)).json()).toMatchObject({ issuer: issuerOf('tenant-7') });
  });

  test.each([
    '/t/tenant-51/.well-known/openid-configuration',
    '/t/tenant-51/consent',
    '/t/__proto__/login/x',
    '/nothing',
  ])('%s is not found: an unknown tenant opens no issuer', async (path) => {
    expect((await fetch(example.origin + path)).status).toBe(404);
  });
});
