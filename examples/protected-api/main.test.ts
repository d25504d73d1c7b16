import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { registerClient, type TestClient } from '../../packages/provider/test/clients.ts';
import { type Instance, start } from '../../packages/provider/test/harness.ts';
import { login, token } from '../../packages/provider/test/login.ts';
import { listen } from '../../test/servers/src/listen.ts';
import { createApi } from './src/app.ts';
import { createIntrospection } from './src/introspection.ts';
import { createJwtVerifier } from './src/jwt.ts';
import type { Verify } from './src/require-scope.ts';

const audience = 'https://api.example.com';
const otherAudience = 'https://other.example.com';

/** The configuration and the registration of docs/guides/protect-an-api.md. */
const resourceOf = (strategy: 'jwt' | 'opaque') =>
  [audience, otherAudience].map((identifier) => ({
    identifier,
    scope: 'orders.read orders.write',
    accessTokenStrategy: strategy,
    accessTokenTtl: '10m',
  }));
const verifiers: Readonly<Record<'jwt' | 'opaque', (instance: Instance) => Verify>> = {
  jwt: ({ issuer }) => createJwtVerifier(issuer, audience),
  opaque: ({ admin }) => createIntrospection(admin, 'no token in this test', audience),
};

describe.each(['jwt', 'opaque'] as const)('an API that accepts %s tokens', (strategy) => {
  let instance: Instance;
  let client: TestClient;

  beforeAll(async () => {
    instance = await start({ config: { resources: resourceOf(strategy) } });
    client = await registerClient(instance, 'worker', {
      audience: [audience, otherAudience],
      scope: 'orders.read orders.write',
    });
  });
  afterAll(() => instance.stop());

  const open = async (verify = verifiers[strategy](instance)): Promise<string> => {
    const { origin, close } = await listen(createApi(verify));
    onTestFinished(close);
    return `${origin}/orders`;
  };

  const tokenFor = async (scope: string, resource = audience): Promise<string> =>
    String((await token(instance, client, { grant_type: 'client_credentials', scope, resource })).body.access_token);

  const call = (url: string, accessToken: string, method = 'GET') =>
    fetch(url, { method, headers: { authorization: `Bearer ${accessToken}` } });

  test('a token with the scope is accepted', async () => {
    const response = await call(await open(), await tokenFor('orders.read'));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ orders: [], for: 'worker' });
  });

  test('a token without the scope of the route gets 403, and the scope that it lacks', async () => {
    const response = await call(await open(), await tokenFor('orders.read'), 'POST');
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="orders.write"');
  });

  test('no token, a wrong token and a token for another API get 401', async () => {
    const url = await open();
    const none = await fetch(url);
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    for (const wrong of ['wrong', await tokenFor('orders.read', otherAudience)]) {
      const response = await call(url, wrong);
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        'Bearer error="invalid_token"',
      ]);
    }
  });

  test('the token of a single-page app is accepted for its user, and userinfo refuses it', async () => {
    const app = await registerClient(instance, 'app', {
      token_endpoint_auth_method: 'none',
      audience: [audience],
      scope: 'openid orders.read',
    });
    const scope = ['openid', 'orders.read'];
    const { access_token: accessToken } = await login(instance, app, {
      params: { scope: scope.join(' '), resource: audience },
      consent: { grant_scope: scope, grant_access_token_audience: [audience] },
    });
    const response = await call(await open(), String(accessToken));
    expect([response.status, await response.json()]).toEqual([200, { orders: [], for: 'alice' }]);
    expect((await call(`${instance.issuer}/userinfo`, String(accessToken))).status).toBe(403);
  });

  test('while Carnet does not answer, the answer is 503', async () => {
    const gone = { ...instance, issuer: 'http://127.0.0.1:1', admin: 'http://127.0.0.1:1' };
    const response = await call(await open(verifiers[strategy](gone)), await tokenFor('orders.read'));
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
  });
});
