import { describe, expect, it } from 'vitest';
import { createSecretVerifier } from '../../src/clients/secret-verifier.ts';
import { CarnetError } from '../../src/errors.ts';
import { startAdmin } from './start-admin.ts';

describe('POST /admin/clients', () => {
  it('creates a client with every field of the contract, and null for the lists it was not given', async () => {
    const { call } = await startAdmin();
    const { status, headers, body } = await call('POST', '/admin/clients', { client_id: 'app', client_name: 'App' });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe('/admin/clients/app');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body.client_secret).toMatch(/^[\w-]{26,}$/);
    expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const lifespans = Object.keys(body).filter((name) => name.endsWith('_lifespan'));
    expect(lifespans).toHaveLength(13);
    for (const name of lifespans) {
      expect(body[name]).toBeNull();
      delete body[name];
    }
    expect(body).toEqual({
      client_id: 'app',
      client_name: 'App',
      client_secret: body.client_secret,
      redirect_uris: null,
      grant_types: null,
      response_types: null,
      scope: 'offline_access offline openid',
      audience: [],
      owner: '',
      policy_uri: '',
      allowed_cors_origins: [],
      tos_uri: '',
      client_uri: '',
      logo_uri: '',
      contacts: null,
      client_secret_expires_at: 0,
      subject_type: 'public',
      jwks: {},
      token_endpoint_auth_method: 'client_secret_basic',
      userinfo_signed_response_alg: 'none',
      metadata: {},
      created_at: body.created_at,
      updated_at: body.created_at,
      skip_consent: false,
      skip_logout_consent: null,
      registration_access_token: expect.stringMatching(/^carnet_rat_[\w-]{43}$/),
      registration_client_uri: 'https://op.test/oauth2/register/app',
    });
  });

  it('the created client is read back unchanged: lists empty instead of null, and no secret', async () => {
    const { call } = await startAdmin();
    const { body: created } = await call('POST', '/admin/clients', { client_id: 'app' });
    const { status, body, headers, text } = await call('GET', '/admin/clients/app');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('private, no-cache, no-store, must-revalidate');
    const { client_secret, registration_access_token, registration_client_uri, ...rest } = created;
    expect(body).toEqual({ ...rest, redirect_uris: [], grant_types: [], response_types: [], contacts: [] });
    expect(text).not.toContain(client_secret);
    expect(text).not.toContain('registration');
    expect(text).not.toContain('$sha256$');
  });

  it('makes up an id where none is given, and works without the prefix and whatever the Content-Type', async () => {
    const { call } = await startAdmin();
    const { status, body } = await call('POST', '/clients/', '{"client_name":"x"}', { 'content-type': 'text/plain' });
    expect(status).toBe(201);
    expect(body.client_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect((await call('GET', `/clients/${body.client_id}`)).body.client_name).toBe('x');
  });

  it('echoes a chosen secret, keeps only a slow hash of it, and that hash verifies it', async () => {
    const { call, clients } = await startAdmin();
    const { body } = await call('POST', '/admin/clients', { client_id: 'app', client_secret: 'averylongsecret' });
    expect(body.client_secret).toBe('averylongsecret');
    const { secrets = [] } = (await clients.find('app')) ?? {};
    expect(secrets).toEqual([expect.stringMatching(/^\$2b\$04\$/)]);
    expect(await createSecretVerifier().verify('app', 'averylongsecret', secrets)).toBe(true);
  });

  it.each(['none', 'private_key_jwt'])('makes no secret for a client that authenticates by %s', async (method) => {
    const { call, clients } = await startAdmin();
    const metadata = { token_endpoint_auth_method: method, jwks_uri: 'https://app.example/jwks' };
    const { body } = await call('POST', '/admin/clients', { client_id: 'app', ...metadata });
    expect(body).not.toHaveProperty('client_secret');
    expect((await clients.find('app'))?.secrets).toEqual([]);
  });

  it('registers a client of response type token alone: it uses no authorization endpoint', async () => {
    const { call } = await startAdmin();
    const grant_types = ['urn:ietf:params:oauth:grant-type:jwt-bearer'];
    expect((await call('POST', '/admin/clients', { grant_types, response_types: ['token'] })).status).toBe(201);
  });

  it('answers 409 for an id that is taken', async () => {
    const { call } = await startAdmin();
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', '/admin/clients', { client_id: 'app' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(Object.keys(answers.find(({ status }) => status === 409)?.body)).toEqual(['error', 'error_description']);
  });

  it('says what is wrong with the metadata, in two members and without the secret', async () => {
    const { call } = await startAdmin();
    const { status, body } = await call('POST', '/admin/clients', { client_secret: 'hunt2' });
    const length = 'must be at least 6 characters long; leave it out to have a strong one generated.';
    expect([status, body]).toEqual([
      400,
      { error: 'invalid_client_metadata', error_description: `Field client_secret ${length}` },
    ]);
  });

  it('stores nothing that validateMetadata refuses', async () => {
    const validateMetadata = async () => {
      throw new CarnetError('invalid_client_metadata', 'Not by my rules.');
    };
    const { call, clients } = await startAdmin({ validateMetadata });
    const { body } = await call('POST', '/admin/clients', { client_id: 'app' });
    expect(body.error_description).toBe('Not by my rules.');
    expect(await clients.find('app')).toBeUndefined();
  });

  it('names in Location what can be asked for, whatever characters the id has', async () => {
    const { call } = await startAdmin();
    const client_id = 'a/b c?d#e%f';
    const { headers } = await call('POST', '/admin/clients', { client_id });
    expect((await call('GET', headers.get('location') as string)).body.client_id).toBe(client_id);
  });
});

describe('GET /admin/clients/:id', () => {
  it.each([
    ['GET', '', undefined],
    ['PUT', '', {}],
    ['PATCH', '', []],
    ['DELETE', '', undefined],
    ['PUT', '/lifespans', {}],
    ['POST', '/secrets/rotate', undefined],
    ['DELETE', '/secrets/rotate', undefined],
  ])("%s%s answers 404 with Hydra's body for a client that does not exist", async (method, path, sent) => {
    const { call } = await startAdmin();
    const body = { error: 'Unable to locate the resource', error_description: '' };
    expect(await call(method, `/admin/clients/foo${path}`, sent)).toMatchObject({ status: 404, body });
  });
});
