import { describe, expect, it } from 'vitest';
import { createSecretVerifier } from '../../src/clients/secret-verifier.ts';
import { refusal } from '../call.ts';
import { startAdmin } from './start-admin.ts';

/** The API with a client, what it was created with, and a call of a path below it. */
const startWith = async (metadata: object = {}) => {
  const { call, clients } = await startAdmin();
  const { body: created } = await call('POST', '/admin/clients', { client_id: 'app', ...metadata });
  const callApp = (method: string, path = '', body?: unknown) => call(method, `/admin/clients/app${path}`, body);
  const secrets = async () => (await clients.find('app'))?.secrets ?? [];
  return { call, callApp, created, secrets };
};

describe('PUT /admin/clients/:id', () => {
  it('replaces everything but id, creation time and secret', async () => {
    const { call, callApp, created, secrets } = await startWith({ client_name: 'old', owner: 'me', contacts: ['x'] });
    const before = await secrets();
    const redirect_uris = ['https://a.example/'];
    const { status, body } = await callApp('PUT', '', { client_id: 'other', client_name: 'new', redirect_uris });
    expect(status).toBe(200);
    expect(body).toMatchObject({ client_id: 'app', client_name: 'new', owner: '', contacts: null, redirect_uris });
    expect(body.created_at).toBe(created.created_at);
    expect(body).not.toHaveProperty('client_secret');
    expect(await secrets()).toEqual(before);
    const lists = { contacts: [], grant_types: [], response_types: [] };
    expect((await callApp('GET')).body).toEqual({ ...body, ...lists });
    expect((await call('GET', '/admin/clients/other')).status).toBe(404);
  });

  it('takes a new secret, shows it once, and no other secret is valid afterwards', async () => {
    const { callApp, created, secrets } = await startWith();
    await callApp('POST', '/secrets/rotate');
    const { body } = await callApp('PUT', '', { client_secret: 'averylongsecret' });
    expect(body.client_secret).toBe('averylongsecret');
    const { verify } = createSecretVerifier();
    expect(await verify('app', 'averylongsecret', await secrets())).toBe(true);
    expect(await verify('app', created.client_secret, await secrets())).toBe(false);
    expect(await secrets()).toHaveLength(1);
  });

  it('does not turn a public client into one that needs a secret it does not have', async () => {
    const { callApp } = await startWith({ token_endpoint_auth_method: 'none' });
    const { status, body } = await callApp('PUT', '', {});
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
    expect(body.error_description).toContain('send a client_secret');
    expect((await callApp('PUT', '', { client_secret: 'averylongsecret' })).status).toBe(200);
  });
});

describe('PATCH /admin/clients/:id', () => {
  it('applies a JSON Patch and answers the client without its secret', async () => {
    const { callApp, secrets } = await startWith({ redirect_uris: ['https://a.example/'] });
    const before = await secrets();
    const { status, body } = await callApp('PATCH', '', [
      { op: 'add', path: '/redirect_uris/-', value: 'https://b.example/' },
      { op: 'replace', path: '/client_name', value: 'new' },
      { op: 'add', path: '/metadata/a', value: 1 },
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      client_name: 'new',
      redirect_uris: ['https://a.example/', 'https://b.example/'],
      metadata: { a: 1 },
      contacts: [],
    });
    expect(body).not.toHaveProperty('client_secret');
    expect(await secrets()).toEqual(before);
  });

  it('holds the result to the rules of a client', async () => {
    const { callApp } = await startWith();
    const patch = [{ op: 'add', path: '/redirect_uris/-', value: 'javascript:1' }];
    expect(await callApp('PATCH', '', patch)).toMatchObject(refusal('invalid_client_metadata'));
    expect((await callApp('GET')).body.redirect_uris).toEqual([]);
  });

  it('sets by replace what is not set yet, whatever the member is', async () => {
    const { callApp } = await startWith();
    const unset = {
      initiate_login_uri: 'https://a.example/start',
      jwks_uri: 'https://a.example/jwks',
      access_token_strategy: 'jwt',
      post_logout_redirect_uris: ['https://a.example/bye'],
      request_object_signing_alg: 'RS256',
      backchannel_logout_session_required: true,
    };
    const patch = Object.entries(unset).map(([name, value]) => ({ op: 'replace', path: `/${name}`, value }));
    const { status, body } = await callApp('PATCH', '', patch);
    expect(status).toBe(200);
    expect(body).toMatchObject(unset);
  });

  it('replaces the secret without saying it again', async () => {
    const { callApp, secrets } = await startWith();
    const patch = [{ op: 'replace', path: '/client_secret', value: 'averylongsecret' }];
    expect((await callApp('PATCH', '', patch)).text).not.toContain('averylongsecret');
    expect(await createSecretVerifier().verify('app', 'averylongsecret', await secrets())).toBe(true);
  });

  it('loses none of many patches at once', async () => {
    const { callApp } = await startWith();
    const patches = Array.from({ length: 20 }, (_, i) => [{ op: 'add', path: `/metadata/k${i}`, value: i }]);
    await Promise.all(patches.map((patch) => callApp('PATCH', '', patch)));
    expect(Object.keys((await callApp('GET')).body.metadata)).toHaveLength(20);
  });
});

describe('DELETE /admin/clients/:id', () => {
  it('answers 204 without a body, and the client is gone', async () => {
    const { call, callApp } = await startWith();
    expect(await callApp('DELETE')).toMatchObject({ status: 204, text: '' });
    expect((await callApp('GET')).status).toBe(404);
    expect((await call('GET', '/admin/clients')).body).toEqual([]);
  });
});

describe('PUT /admin/clients/:id/lifespans', () => {
  it('sets those that are given and unsets the others, and nothing else', async () => {
    const { callApp } = await startWith({ client_name: 'x', implicit_grant_id_token_lifespan: '1h' });
    const { status, body } = await callApp('PUT', '/lifespans', {
      refresh_token_grant_access_token_lifespan: '31h',
      client_name: 'ignored',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      client_name: 'x',
      refresh_token_grant_access_token_lifespan: '31h0m0s',
      implicit_grant_id_token_lifespan: null,
    });
    expect(body).not.toHaveProperty('client_secret');
    expect((await callApp('PUT', '/lifespans', { implicit_grant_id_token_lifespan: 'soon' })).status).toBe(400);
  });
});

describe('/admin/clients/:id/secrets/rotate', () => {
  it('answers a new secret, beside which the last five stay valid until they are forgotten', async () => {
    const { callApp, created, secrets: stored } = await startWith();
    const secrets: string[] = [created.client_secret];
    for (let i = 0; i < 6; i++) {
      const { status, body } = await callApp('POST', '/secrets/rotate');
      expect([status, body.client_id]).toEqual([200, 'app']);
      secrets.push(body.client_secret);
    }
    expect(new Set(secrets).size).toBe(7);
    const { verify } = createSecretVerifier();
    const valid = async () => {
      const hashes = await stored();
      return Promise.all(secrets.map((secret) => verify('app', secret, hashes)));
    };
    expect(await valid()).toEqual([false, true, true, true, true, true, true]);
    const { status, body } = await callApp('DELETE', '/secrets/rotate');
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('client_secret');
    expect(await valid()).toEqual([false, false, false, false, false, false, true]);
  });

  it('answers 400 for a client that has no secret', async () => {
    const { callApp } = await startWith({ token_endpoint_auth_method: 'none' });
    expect(await callApp('POST', '/secrets/rotate')).toMatchObject({ status: 400 });
  });
});
