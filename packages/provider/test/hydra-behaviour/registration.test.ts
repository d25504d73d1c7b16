import { beforeTests } from '@carnet/test-servers/before-tests';
import { describe, expect, test } from 'vitest';
import type { Json } from '../login.ts';
import { startLikeHydra } from './start.ts';

describe('dynamic registration as Hydra has it', () => {
  const instance = beforeTests(() => startLikeHydra());

  const call = async (method: string, path: string, { body, token }: { body?: Json; token?: unknown } = {}) => {
    const response = await fetch(`${instance.issuer}/oauth2/register${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Json };
  };
  const register = async (metadata: Json = {}) =>
    (await call('POST', '', { body: { client_name: 'clientName', grant_types: ['client_credentials'], ...metadata } }))
      .body;

  test('gives a registration access token', async () => {
    expect(await register({ scope: 'foo openid offline_access' })).toMatchObject({
      client_id: expect.any(String),
      client_secret: expect.any(String),
      registration_access_token: expect.any(String),
    });
  });

  test('shows the client to the bearer of the token', async () => {
    const { client_id, registration_access_token: token } = await register();
    expect((await call('GET', `/${client_id}`, { token })).body.client_name).toBe('clientName');
  });

  test.each(['GET', 'PUT', 'DELETE'])('refuses %s without the token: 401', async (method) => {
    const { client_id } = await register();
    expect((await call(method, `/${client_id}`)).status).toBe(401);
  });

  const changed = {
    client_name: 'clientName2',
    scope: 'foo openid offline_access',
    grant_types: ['client_credentials'],
  };

  test('changes the name', async () => {
    const { client_id, registration_access_token: token } = await register();
    const { status, body } = await call('PUT', `/${client_id}`, { token, body: changed });
    expect([status, body.client_name, body.client_id]).toEqual([200, 'clientName2', client_id]);
  });

  test('refuses the id of another client: 400 (RFC 7592, section 2.2), where Hydra overlooks it', async () => {
    const { client_id, registration_access_token: token } = await register();
    const body = { ...changed, client_id: 'clientid' };
    expect((await call('PUT', `/${client_id}`, { token, body })).status).toBe(400);
  });

  test('lets no client choose its secret: 403', async () => {
    const { client_id, registration_access_token: token } = await register();
    const body = { ...changed, client_secret: 'secret' };
    expect((await call('PUT', `/${client_id}`, { token, body })).status).toBe(403);
  });

  test('deletes the client for the bearer of the token: 204', async () => {
    const { client_id, registration_access_token: token } = await register();
    expect((await call('DELETE', `/${client_id}`, { token })).status).toBe(204);
    expect((await call('GET', `/${client_id}`, { token })).status).toBe(401);
  });
});
