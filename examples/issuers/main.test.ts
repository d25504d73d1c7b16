import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBrowser, type FormBrowser, locationOf } from '../../packages/provider/test/browser.ts';
import { authorizationUrl, codeVerifier, token } from '../../packages/provider/test/login.ts';
import { type Example, startExample } from '../example-program.ts';

const redirectUri = 'http://127.0.0.1:9999/callback';
const paths = { shop: 'shop', travel: 'travel', 'tenant-7': 't/tenant-7', 'tenant-1000': 't/tenant-1000' } as const;
type Name = keyof typeof paths;
const names = Object.keys(paths) as Name[];

describe('two brands and the tenants of one application', () => {
  let example: Example;
  beforeAll(async () => {
    example = await startExample(new URL('.', import.meta.url), '');
  });
  afterAll(() => example?.stop());

  const issuerOf = (name: Name): string => `${example.origin}/${paths[name]}`;
  const clientOf = (name: Name) => ({ id: 'app', secret: `secret-of-the-app-of-${name}` });
  const beginAt = async (browser: FormBrowser, name: Name): Promise<URL> => {
    const params = { redirect_uri: redirectUri, scope: 'openid' };
    return locationOf(await browser.get(authorizationUrl({ issuer: issuerOf(name) }, clientOf(name), params)));
  };
  const finish = async (browser: FormBrowser, login: URL): Promise<string> => {
    const consent = locationOf(await browser.get(locationOf(await browser.post(login.href, {})).href));
    const end = locationOf(await browser.get(locationOf(await browser.post(consent.href, {})).href));
    return end.searchParams.get('code') ?? '';
  };
  const redeem = (at: Name, name: Name, code: string) => {
    const params = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier };
    return token({ issuer: issuerOf(at) }, clientOf(name), params);
  };

  test('each signs users in and issues tokens in its own name, and none redeems the code of another', async () => {
    const browser = createBrowser();
    for (const name of names) {
      const code = await finish(browser, await beginAt(browser, name));
      for (const other of names.filter((each) => each !== name)) {
        expect((await redeem(other, other, code)).body).toMatchObject({ error: 'invalid_grant' });
      }
      const { body } = await redeem(name, name, code);
      const claims = JSON.parse(Buffer.from(String(body.id_token).split('.')[1] ?? '', 'base64url').toString());
      expect(claims).toMatchObject({ iss: issuerOf(name), sub: 'demo-user' });
    }
  });

  test('the page of one issuer decides no login of another', async () => {
    const browser = createBrowser();
    const login = await beginAt(browser, 'shop');
    const elsewhere = login.href.replace('/pages/shop/', '/pages/travel/');
    expect((await browser.post(elsewhere, {})).status).toBe(404);
    expect(await finish(browser, login)).not.toBe('');
  });

  test('an unknown tenant is not found', async () => {
    for (const path of ['/t/tenant-1001/.well-known/openid-configuration', '/pages/nobody/login/x', '/nothing']) {
      expect((await fetch(example.origin + path)).status).toBe(404);
    }
  });
});
