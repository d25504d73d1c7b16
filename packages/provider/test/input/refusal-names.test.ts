import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { basicOf, redirectUri } from '../clients.ts';
import { authorizationUrl, authorize, begin, decideAll, type Json, redeem, token } from '../login.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

describe('a request that a client is not registered for is refused by the name of RFC 6749', () => {
  const instance = startBeforeTests({
    config: { features: { implicit: { enabled: true }, hybrid: { enabled: true } } },
  });
  const client = registerBeforeTests(instance, 'web', {
    grant_types: ['authorization_code', 'implicit'],
    response_types: ['code', 'id_token'],
  });
  const machine = registerBeforeTests(instance, 'machine', {
    grant_types: ['client_credentials'],
    redirect_uris: [redirectUri],
  });

  const errorOf = async (url: string): Promise<string | null> => {
    const { searchParams, hash } = locationOf(await createBrowser().get(url));
    return searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error');
  };

  test.each(['code id_token', 'id_token token', 'token', 'nonsense'])(
    'unsupported_response_type for %s (section 4.1.2.1)',
    async (response_type) => {
      expect(await errorOf(authorizationUrl(instance, client, { response_type }))).toBe('unsupported_response_type');
    },
  );

  test('unsupported_response_type for a client without response types', async () => {
    expect(await errorOf(authorizationUrl(instance, machine))).toBe('unsupported_response_type');
  });

  test('invalid_scope for an ID token without openid', async () => {
    const url = authorizationUrl(instance, client, { response_type: 'id_token', scope: 'profile' });
    expect(await errorOf(url)).toBe('invalid_scope');
  });

  test.each(['client_credentials', 'refresh_token', deviceGrant])(
    'unauthorized_client for the grant type %s (section 5.2)',
    async (grant_type) => {
      const answer = await token(instance, client, { grant_type, refresh_token: 'x', device_code: 'x' });
      expect(answer).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } });
    },
  );

  test('unauthorized_client at the device authorization endpoint', async () => {
    const response = await fetch(`${instance.issuer}/oauth2/device/auth`, {
      method: 'POST',
      headers: basicOf(client),
      body: new URLSearchParams({ client_id: client.id, scope: 'openid' }),
    });
    expect([response.status, ((await response.json()) as Json).error]).toEqual([400, 'unauthorized_client']);
  });
});

describe('a request that needs no refusal is accepted', () => {
  const instance = startBeforeTests();
  const client = registerBeforeTests(instance, 'web');

  const accepted = async (url: string) => {
    const browser = createBrowser();
    const end = await browser.get(await decideAll(instance, browser, await begin(browser, url)));
    return redeem(instance, client, locationOf(end).searchParams.get('code') ?? '');
  };

  test('scope twice with one value', async () => {
    const url = authorizationUrl(instance, client);
    const scope = new URL(url).searchParams.get('scope') ?? '';
    expect((await accepted(`${url}&scope=${encodeURIComponent(scope)}`)).status).toBe(200);
  });

  test('scope twice with one value at the token endpoint', async () => {
    const ask = async (body: string) => {
      const headers = { ...basicOf(client), 'content-type': 'application/x-www-form-urlencoded' };
      const response = await fetch(`${instance.issuer}/oauth2/token`, { method: 'POST', headers, body });
      return [response.status, ((await response.json()) as Json).error];
    };
    const form = 'grant_type=client_credentials&scope=profile';
    expect(await ask(`${form}&scope=profile`)).toEqual([200, undefined]);
    expect(await ask(`${form}&scope=email`)).toEqual([400, 'invalid_request']);
  });

  test('nonce without openid, which gives no ID token', async () => {
    const browser = createBrowser();
    const url = authorizationUrl(instance, client, { scope: 'profile' });
    const consent = { consent: { grant_scope: ['profile'] } };
    const end = await browser.get(await decideAll(instance, browser, await begin(browser, url), consent));
    const { status, body } = await redeem(instance, client, locationOf(end).searchParams.get('code') ?? '');
    expect([status, body.id_token]).toEqual([200, undefined]);
  });

  test('a flow cookie that comes twice with one value', async () => {
    const cookies = new Map<string, string>();
    const browser = createBrowser(cookies);
    const challenge = await begin(browser, authorizationUrl(instance, client));
    const to = await decideAll(instance, browser, challenge);
    const pairs = [...cookies].map(([name, value]) => `${name}=${value}`);
    const response = await fetch(to, { redirect: 'manual', headers: { cookie: [...pairs, ...pairs].join('; ') } });
    expect(locationOf(response).searchParams.get('code')).not.toBeNull();
  });
});

describe('a number of seconds is digits only', () => {
  const instance = startBeforeTests();
  const client = registerBeforeTests(instance, 'web');

  test.each(['1e3', '0x10', ' 5 ', '5.0', '+5', '-1', '0b1', '٣'])('max_age %j is refused', async (max_age) => {
    const response = await createBrowser().get(authorizationUrl(instance, client, { max_age }));
    expect(locationOf(response).searchParams.get('error')).toBe('invalid_request');
  });

  test.each(['0', '5', '0100'])('max_age %j is accepted', async (max_age) => {
    const end = await authorize(instance, client, { params: { max_age } });
    expect(end.searchParams.get('code')).not.toBeNull();
  });
});
