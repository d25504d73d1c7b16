import { describe, expect, it } from 'vitest';
import { createSecretVerifier } from '../../src/clients/secret-verifier.ts';
import { startAdmin } from './start-admin.ts';

describe('PUT /admin/clients/:id', () => {
  it('replaces everything but id, creation time and secret', async () => {
    const { call, clients } = await startAdmin();
    const { body: created } = await call('POST', '/admin/clients', {
      client_id: 'app',
      client_name: 'old',
      owner: 'me',
      contacts: ['x'],
    });
    const before = (await clients.find('app'))?.secrets;
    const { status, body } = await call('PUT', '/admin/clients/app', {
      client_id: 'other',
      client_name: 'new',
      redirect_uris: ['https://a.example/'],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      client_id: 'app',
      client_name: 'new',
      owner: '',
      contacts: null,
      redirect_uris: ['https://a.example/'],
    });
    expect(body.created_at).toBe(created.created_at);
    expect(body).not.toHaveProperty('client_secret');
    expect((await clients.find('app'))?.secrets).toEqual(before);
    expect((await call('GET', '/admin/clients/app')).body).toEqual({
      ...body,
      contacts: [],
      grant_types: [],
      response_types: [],
    });
    expect((await call('GET', '/admin/clients/other')).status).toBe(404);
  });

  it('takes a new secret, shows it once, and no other secret is valid afterwards', async () => {
    const { call, clients } = await startAdmin();
    const { body: created } = await call('POST', '/admin/clients', { client_id: 'app' });
    await call('POST', '/admin/clients/app/secrets/rotate');
    const { body } = await call('PUT', '/admin/clients/app', { client_secret: 'averylongsecret' });
    expect(body.client_secret).toBe('averylongsecret');
    const { secrets = [] } = (await clients.find('app')) ?? {};
    const { verify } = createSecretVerifier();
    expect(await verify('app', 'averylongsecret', secrets)).toBe(true);
    expect(await verify('app', created.client_secret, secrets)).toBe(false);
    expect(secrets).toHaveLength(1);
  });

  it('does not turn a public client into one that needs a secret it does not have', async () => {
    const { call } = await startAdmin();
    await call('POST', '/admin/clients', { client_id: 'app', token_endpoint_auth_method: 'none' });
    const { status, body } = await call('PUT', '/admin/clients/app', {});
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
    expect(body.error_description).toContain('send a client_secret');
    expect((await call('PUT', '/admin/clients/app', { client_secret: 'averylongsecret' })).status).toBe(200);
  });
});

describe('PATCH /admin/clients/:id', () => {
  it('applies a JSON Patch and answers the client without its secret', async () => {
    const { call, clients } = await startAdmin();
    await call('POST', '/admin/clients', { client_id: 'app', redirect_uris: ['https://a.example/'] });
    const before = (await clients.find('app'))?.secrets;
    const { status, body } = await call('PATCH', '/admin/clients/app', [
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
    expect((await clients.find('app'))?.secrets).toEqual(before);
  });

  it('holds the result to the rules of a client', async () => {
    const { call } = await startAdmin();
    await call('POST', '/admin/clients', { client_id: 'app' });
    const { status, body } = await call('PATCH', '/admin/clients/app', [
      { op: 'add', path: '/redirect_uris/-', value: 'javascript:1' },
    ]);
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
    expect((await call('GET', '/admin/clients/app')).body.redirect_uris).toEqual([]);
  });

  it('sets by replace what is not set yet, whatever the member is', async () => {
    const { call } = await startAdmin();
    const unset = {
      initiate_login_uri: 'https://a.example/start',
      jwks_uri: 'https://a.example/jwks',
      access_token_strategy: 'jwt',
      post_logout_redirect_uris: ['https://a.example/bye'],
      request_object_signing_alg: 'RS256',
      backchannel_logout_session_required: true,
    };
    await call('POST', '/admin/clients', { client_id: 'app' });
    const patch = Object.entries(unset).map(([name, value]) => ({ op: 'replace', path: `/${name}`, value }));
    const { status, body } = await call('PATCH', '/admin/clients/app', patch);
    expect(status).toBe(200);
    expect(body).toMatchObject(unset);
  });

  it('replaces the secret without saying it again', async () => {
    const { call, clients } = await startAdmin();
    await call('POST', '/admin/clients', { client_id: 'app' });
    const { text } = await call('PATCH', '/admin/clients/app', [
      { op: 'replace', path: '/client_secret', value: 'averylongsecret' },
    ]);
    expect(text).not.toContain('averylongsecret');
    expect(
      await createSecretVerifier().verify('app', 'averylongsecret', (await clients.find('app'))?.secrets ?? []),
    ).toBe(true);
  });

  it('loses none of many patches at once', async () => {
    const { call } = await startAdmin();
    await call('POST', '/admin/clients', { client_id: 'app' });
    const patches = Array.from({ length: 20 }, (_, i) => [{ op: 'add', path: `/metadata/k${i}`, value: i }]);
    await Promise.all(patches.map((patch) => call('PATCH', '/admin/clients/app', patch)));
    expect(Object.keys((await call('GET', '/admin/clients/app')).body.metadata)).toHaveLength(20);
  });
});

describe('DELETE /admin/clients/:id', () => {
  it('answers 204 without a body, and the client is gone', async () => {
    const { call } = await startAdmin();
    await call('POST', '/admin/clients', { client_id: 'app' });
    expect(await call('DELETE', '/admin/clients/app')).toMatchObject({ status: 204, text: '' });
    expect((await call('GET', '/admin/clients/app')).status).toBe(404);
    expect((await call('GET', '/admin/clients')).body).toEqual([]);
  });
});

describe('PUT /admin/clients/:id/lifespans', () => {
  it('sets those that are given and unsets the others, and nothing else', async () => {
    const { call } = await startAdmin();
    await call('POST', '/admin/clients', {
      client_id: 'app',
      client_name: 'x',
      implicit_grant_id_token_lifespan: '1h',
    });
    const { status, body } = await call('PUT', '/admin/clients/app/lifespans', {
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
    expect(
      (await call('PUT', '/admin/clients/app/lifespans', { implicit_grant_id_token_lifespan: 'soon' })).status,
    ).toBe(400);
  });
});

describe('/admin/clients/:id/secrets/rotate', () => {
  it('answers a new secret, beside which the last five stay valid until they are forgotten', async () => {
    const { call, clients } = await startAdmin();
    const { body: created } = await call('POST', '/admin/clients', { client_id: 'app' });
    const secrets: string[] = [created.client_secret];
    for (let i = 0; i < 6; i++) {
      const { status, body } = await call('POST', '/admin/clients/app/secrets/rotate');
      expect([status, body.client_id]).toEqual([200, 'app']);
      secrets.push(body.client_secret);
    }
    expect(new Set(secrets).size).toBe(7);
    const { verify } = createSecretVerifier();
    const valid = async () => {
      const { secrets: hashes = [] } = (await clients.find('app')) ?? {};
      return Promise.all(secrets.map((secret) => verify('app', secret, hashes)));
    };
    expect(await valid()).toEqual([false, true, true, true, true, true, true]);
    const { status, body } = await call('DELETE', '/admin/clients/app/secrets/rotate');
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('client_secret');
    expect(await valid()).toEqual([false, false, false, false, false, false, true]);
  });

  it('answers 400 for a client that has no secret', async () => {
    const { call } = await startAdmin();
    await call('POST', '/admin/clients', { client_id: 'app', token_endpoint_auth_method: 'none' });
    expect(await call('POST', '/admin/clients/app/secrets/rotate')).toMatchObject({ status: 400 });
  });
});
