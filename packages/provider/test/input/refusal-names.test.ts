import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { call, postForm, refusal } from '../call.ts';
import { basicOf, redirectUri } from '../clients.ts';
import { authorizationUrl, authorize, authorizeAt, begin, decideAll, errorAt, redeem, token } from '../login.ts';

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

  test.each(['code id_token', 'id_token token', 'token', 'nonsense'])(
    'unsupported_response_type for %s (section 4.1.2.1)',
    async (response_type) => {
      expect(await errorAt(authorizationUrl(instance, client, { response_type }))).toBe('unsupported_response_type');
    },
  );

  test('unsupported_response_type for a client without response types', async () => {
    expect(await errorAt(authorizationUrl(instance, machine))).toBe('unsupported_response_type');
  });

  test('invalid_scope for an ID token without openid', async () => {
    const url = authorizationUrl(instance, client, { response_type: 'id_token', scope: 'profile' });
    expect(await errorAt(url)).toBe('invalid_scope');
  });

  test.each(['client_credentials', 'refresh_token', deviceGrant])(
    'unauthorized_client for the grant type %s (section 5.2)',
    async (grant_type) => {
      const answer = await token(instance, client, { grant_type, refresh_token: 'x', device_code: 'x' });
      expect(answer).toMatchObject(refusal('unauthorized_client'));
    },
  );

  test('unauthorized_client at the device authorization endpoint', async () => {
    const form = { client_id: client.id, scope: 'openid' };
    const answer = await postForm(`${instance.issuer}/oauth2/device/auth`, form, basicOf(client));
    expect(answer).toMatchObject(refusal('unauthorized_client'));
  });
});

describe('a request that needs no refusal is accepted', () => {
  const instance = startBeforeTests();
  const client = registerBeforeTests(instance, 'web');

  test('scope twice with one value', async () => {
    const url = authorizationUrl(instance, client);
    const scope = new URL(url).searchParams.get('scope') ?? '';
    const end = await authorizeAt(instance, `${url}&scope=${encodeURIComponent(scope)}`);
    expect((await redeem(instance, client, end)).status).toBe(200);
  });

  test('scope twice with one value at the token endpoint', async () => {
    const ask = async (body: string) => {
      const headers = { ...basicOf(client), 'content-type': 'application/x-www-form-urlencoded' };
      const { status, body: answer } = await call(`${instance.issuer}/oauth2/token`, { method: 'POST', headers, body });
      return [status, answer.error];
    };
    const form = 'grant_type=client_credentials&scope=profile';
    expect(await ask(`${form}&scope=profile`)).toEqual([200, undefined]);
    expect(await ask(`${form}&scope=email`)).toEqual([400, 'invalid_request']);
  });

  test('nonce without openid, which gives no ID token', async () => {
    const options = { params: { scope: 'profile' }, consent: { grant_scope: ['profile'] } };
    const { status, body } = await redeem(instance, client, await authorize(instance, client, options));
    expect([status, body.id_token]).toEqual([200, undefined]);
  });

  test('a flow cookie that comes twice with one value', async () => {
    const browser = createBrowser();
    const to = await decideAll(instance, browser, await begin(browser, authorizationUrl(instance, client)));
    const { cookies } = browser;
    const pairs = [...cookies].map(([name, value]) => `${name}=${value}`);
    const response = await fetch(to, { redirect: 'manual', headers: { cookie: [...pairs, ...pairs].join('; ') } });
    expect(locationOf(response).searchParams.get('code')).not.toBeNull();
  });
});

describe('a number of seconds is digits only', () => {
  const instance = startBeforeTests();
  const client = registerBeforeTests(instance, 'web');

  test.each(['1e3', '0x10', ' 5 ', '5.0', '+5', '-1', '0b1', '٣'])('max_age %j is refused', async (max_age) => {
    expect(await errorAt(authorizationUrl(instance, client, { max_age }))).toBe('invalid_request');
  });

  test.each(['0', '5', '0100'])('max_age %j is accepted', async (max_age) => {
    expect((await authorize(instance, client, { params: { max_age } })).searchParams.has('code')).toBe(true);
  });
});
