import { openMemoryAdapter } from '@carnet/adapter-memory';
import { afterEach, describe, expect, it } from 'vitest';
import { createClientStore } from '../clients/client-store.ts';
import { createSecretVerifier } from '../clients/secret-verifier.ts';
import { CarnetError } from '../errors.ts';
import { type Listener, listen } from '../http/listener.ts';
import { createRouter } from '../http/router.ts';
import { adminSecurityHeaders } from '../http/security-headers.ts';
import { createAdminAuthorize } from './authorize.ts';
import type { PageTokens } from './client-list.ts';
import { type AdminDependencies, adminRoutes } from './index.ts';

const listeners: Listener[] = [];
afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.close(0)));
});

const pageTokens = {
  seal: (text) => Buffer.from(`sealed:${text}`).toString('base64url'),
  open: (token) => {
    const text = Buffer.from(token, 'base64url').toString();
    if (!text.startsWith('sealed:')) throw new CarnetError('not_found', 'Not a page token.');
    return text.slice('sealed:'.length);
  },
} satisfies PageTokens;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what the API answers is what these tests look into
  readonly body: any;
}

const start = async (overrides: Partial<AdminDependencies> = {}, token?: string) => {
  const clients = createClientStore({ adapter: openMemoryAdapter() });
  const deps: AdminDependencies = {
    clients,
    pageTokens,
    bcryptCost: 4,
    validateMetadata: async () => {},
    introspect: async () => ({ active: false }),
    ready: async () => ({}),
    version: '1.2.3',
    ...overrides,
  };
  const handler = createRouter({
    routes: adminRoutes(deps),
    authorize: createAdminAuthorize({ token }),
    responseHeaders: adminSecurityHeaders,
    alsoWithoutAdminPrefix: true,
  });
  const listener = await listen({ handler, host: '127.0.0.1', port: 0 });
  listeners.push(listener);
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const sent =
      body === undefined || body instanceof URLSearchParams || typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${listener.url}${path}`, { method, headers, body: sent as string });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  return { call, clients };
};

const listOf = async (
  call: Awaited<ReturnType<typeof start>>['call'],
  path: string,
): Promise<{ ids: string[][]; links: string[] }> => {
  const ids: string[][] = [];
  const links: string[] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    const { status, body, headers } = await call('GET', next);
    expect(status).toBe(200);
    ids.push(body.map((client: { client_id: string }) => client.client_id));
    const link = headers.get('link') ?? '';
    links.push(link);
    next = /<([^>]*)>; rel="next"/.exec(link)?.[1];
  }
  return { ids, links };
};

describe('POST /admin/clients', () => {
  it('creates a client with every field of the contract, and null for the lists it was not given', async () => {
    const { call } = await start();
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
    });
  });

  it('is read back as it was created: lists empty instead of null, and no secret', async () => {
    const { call } = await start();
    const { body: created } = await call('POST', '/admin/clients', { client_id: 'app' });
    const { status, body, headers, text } = await call('GET', '/admin/clients/app');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('private, no-cache, no-store, must-revalidate');
    const { client_secret, ...rest } = created;
    expect(body).toEqual({ ...rest, redirect_uris: [], grant_types: [], response_types: [], contacts: [] });
    expect(text).not.toContain(client_secret);
    expect(text).not.toContain('$sha256$');
  });

  it('makes up an id where none is given, and works without the prefix and whatever the Content-Type', async () => {
    const { call } = await start();
    const { status, body } = await call('POST', '/clients/', '{"client_name":"x"}', { 'content-type': 'text/plain' });
    expect(status).toBe(201);
    expect(body.client_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect((await call('GET', `/clients/${body.client_id}`)).body.client_name).toBe('x');
  });

  it('echoes a chosen secret, keeps only a slow hash of it, and that hash verifies it', async () => {
    const { call, clients } = await start();
    const { body } = await call('POST', '/admin/clients', { client_id: 'app', client_secret: 'averylongsecret' });
    expect(body.client_secret).toBe('averylongsecret');
    const { secrets = [] } = (await clients.find('app')) ?? {};
    expect(secrets).toEqual([expect.stringMatching(/^\$2b\$04\$/)]);
    expect(await createSecretVerifier().verify('app', 'averylongsecret', secrets)).toBe(true);
  });

  it.each(['none', 'private_key_jwt'])('makes no secret for a client that authenticates by %s', async (method) => {
    const { call, clients } = await start();
    const jwks_uri = 'https://app.example/jwks';
    const { body } = await call('POST', '/admin/clients', {
      client_id: 'app',
      token_endpoint_auth_method: method,
      jwks_uri,
    });
    expect(body).not.toHaveProperty('client_secret');
    expect((await clients.find('app'))?.secrets).toEqual([]);
  });

  it('answers 409 for an id that is taken', async () => {
    const { call } = await start();
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', '/admin/clients', { client_id: 'app' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(Object.keys(answers.find(({ status }) => status === 409)?.body)).toEqual(['error', 'error_description']);
  });

  it('says what is wrong with the metadata, in two members and without the secret', async () => {
    const { call } = await start();
    const { status, body } = await call('POST', '/admin/clients', { client_secret: 'hunt2' });
    expect(status).toBe(400);
    expect(body).toEqual({
      error: 'invalid_client_metadata',
      error_description:
        'Field client_secret must be at least 6 characters long; leave it out to have a strong one made.',
    });
  });

  it('stores nothing that validateMetadata refuses', async () => {
    const validateMetadata = async () => {
      throw new CarnetError('invalid_client_metadata', 'Not by my rules.');
    };
    const { call, clients } = await start({ validateMetadata });
    expect((await call('POST', '/admin/clients', { client_id: 'app' })).body.error_description).toBe(
      'Not by my rules.',
    );
    expect(await clients.find('app')).toBeUndefined();
  });

  it('names in Location what can be asked for, whatever characters the id has', async () => {
    const { call } = await start();
    const client_id = 'a/b c?d#e%f';
    const { headers } = await call('POST', '/admin/clients', { client_id });
    expect((await call('GET', headers.get('location') as string)).body.client_id).toBe(client_id);
  });
});

describe('GET /admin/clients/:id', () => {
  it("answers 404 with Hydra's body for a client that does not exist, whatever the method", async () => {
    const { call } = await start();
    const notFound = { error: 'Unable to locate the resource', error_description: '' };
    expect(await call('GET', '/admin/clients/foo')).toMatchObject({ status: 404, body: notFound });
    expect(await call('PUT', '/admin/clients/foo', {})).toMatchObject({ status: 404, body: notFound });
    expect(await call('PATCH', '/admin/clients/foo', [])).toMatchObject({ status: 404, body: notFound });
    expect(await call('DELETE', '/admin/clients/foo')).toMatchObject({ status: 404, body: notFound });
    expect(await call('PUT', '/admin/clients/foo/lifespans', {})).toMatchObject({ status: 404, body: notFound });
    expect(await call('POST', '/admin/clients/foo/secrets/rotate')).toMatchObject({ status: 404, body: notFound });
    expect(await call('DELETE', '/admin/clients/foo/secrets/rotate')).toMatchObject({ status: 404, body: notFound });
  });
});

describe('PUT /admin/clients/:id', () => {
  it('replaces everything but id, creation time and secret', async () => {
    const { call, clients } = await start();
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
    const { call, clients } = await start();
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
    const { call } = await start();
    await call('POST', '/admin/clients', { client_id: 'app', token_endpoint_auth_method: 'none' });
    const { status, body } = await call('PUT', '/admin/clients/app', {});
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
    expect(body.error_description).toContain('send a client_secret');
    expect((await call('PUT', '/admin/clients/app', { client_secret: 'averylongsecret' })).status).toBe(200);
  });
});

describe('PATCH /admin/clients/:id', () => {
  it('applies a JSON Patch and answers the client without its secret', async () => {
    const { call, clients } = await start();
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
    const { call } = await start();
    await call('POST', '/admin/clients', { client_id: 'app' });
    const { status, body } = await call('PATCH', '/admin/clients/app', [
      { op: 'add', path: '/redirect_uris/-', value: 'javascript:1' },
    ]);
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
    expect((await call('GET', '/admin/clients/app')).body.redirect_uris).toEqual([]);
  });

  it('replaces the secret without saying it again', async () => {
    const { call, clients } = await start();
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
    const { call } = await start();
    await call('POST', '/admin/clients', { client_id: 'app' });
    const patches = Array.from({ length: 20 }, (_, i) => [{ op: 'add', path: `/metadata/k${i}`, value: i }]);
    await Promise.all(patches.map((patch) => call('PATCH', '/admin/clients/app', patch)));
    expect(Object.keys((await call('GET', '/admin/clients/app')).body.metadata)).toHaveLength(20);
  });
});

describe('DELETE /admin/clients/:id', () => {
  it('answers 204 without a body, and the client is gone', async () => {
    const { call } = await start();
    await call('POST', '/admin/clients', { client_id: 'app' });
    expect(await call('DELETE', '/admin/clients/app')).toMatchObject({ status: 204, text: '' });
    expect((await call('GET', '/admin/clients/app')).status).toBe(404);
    expect((await call('GET', '/admin/clients')).body).toEqual([]);
  });
});

describe('PUT /admin/clients/:id/lifespans', () => {
  it('sets those that are given and unsets the others, and nothing else', async () => {
    const { call } = await start();
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
    const { call, clients } = await start();
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
    const { call } = await start();
    await call('POST', '/admin/clients', { client_id: 'app', token_endpoint_auth_method: 'none' });
    expect(await call('POST', '/admin/clients/app/secrets/rotate')).toMatchObject({ status: 400 });
  });
});

describe('GET /admin/clients', () => {
  const startWith = async (count: number) => {
    const started = await start();
    const ids = Array.from({ length: count }, (_, i) => `app-${i}`);
    for (const [i, client_id] of ids.entries()) {
      await started.call('POST', '/admin/clients', {
        client_id,
        owner: i % 3 === 0 ? 'me' : 'you',
        client_name: `name-${i % 2}`,
      });
    }
    return { ...started, ids };
  };

  it('answers an empty array with a link to the first page where there is no client', async () => {
    const { call } = await start();
    const { body, headers } = await call('GET', '/admin/clients');
    expect(body).toEqual([]);
    expect(headers.get('link')).toMatch(/^<\/admin\/clients\?page_size=100&page_token=[\w-]+>; rel="first"$/);
  });

  it('lists all clients in pages that the Link header joins', async () => {
    const { call, ids } = await startWith(7);
    const { ids: pages, links } = await listOf(call, '/admin/clients?page_size=3');
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat().sort()).toEqual([...ids].sort());
    expect(links[0]).toMatch(/rel="first",<\/admin\/clients\?page_size=3&page_token=[\w-]+>; rel="next"$/);
    const first = /<([^>]*)>; rel="first"/.exec(links[2] as string)?.[1] as string;
    expect((await listOf(call, first)).ids[0]).toEqual(pages[0]);
  });

  it('never shows a secret or its hash', async () => {
    const { call } = await startWith(2);
    const { text } = await call('GET', '/admin/clients');
    expect(text).not.toMatch(/client_secret"|\$sha256|\$2b/);
  });

  it.each([1, 2, 3, 100])('finds by owner and name, each once, in pages of %d', async (size) => {
    const { call, ids } = await startWith(13);
    const mine = ids.filter((_, i) => i % 3 === 0);
    const byOwner = await listOf(call, `/admin/clients?owner=me&page_size=${size}`);
    expect(byOwner.ids.flat().sort()).toEqual([...mine].sort());
    for (const page of byOwner.ids) expect(page.length).toBeLessThanOrEqual(size);
    const both = await listOf(call, `/admin/clients?owner=me&client_name=name-1&page_size=${size}`);
    expect(both.ids.flat().sort()).toEqual(ids.filter((_, i) => i % 3 === 0 && i % 2 === 1).sort());
    expect((await listOf(call, `/admin/clients?owner=nobody&page_size=${size}`)).ids.flat()).toEqual([]);
  });

  it('asks the store for no more than 500, whatever page_size says, and for 100 without', async () => {
    const limits: number[] = [];
    const clients = createClientStore({ adapter: openMemoryAdapter() });
    const { call } = await start({
      clients: {
        ...clients,
        list: (query) => {
          limits.push(query.limit);
          return clients.list(query);
        },
      },
    });
    for (const size of ['', '?page_size=0', '?page_size=250', '?page_size=500000'])
      await call('GET', `/admin/clients${size}`);
    expect(limits).toEqual([100, 100, 250, 500]);
  });

  it('looks at a bounded number of clients for a filter that matches none', async () => {
    let lists = 0;
    const clients = createClientStore({ adapter: openMemoryAdapter() });
    const endless = async () => ({ records: [], next: String(++lists) });
    const { call } = await start({ clients: { ...clients, list: endless } });
    const { body, headers } = await call('GET', '/admin/clients?owner=me');
    expect(body).toEqual([]);
    expect(lists).toBe(20);
    expect(headers.get('link')).toContain('owner=me>; rel="next"');
  });

  it.each([
    'page_size=x',
    'page_size=-1',
    'page_size=1.5',
    'page_token=nonsense',
    `page_token=${pageTokens.seal('{"after":1}')}`,
    `page_token=${pageTokens.seal('[')}`,
  ])('answers 400 for %s', async (query) => {
    const { call } = await start();
    expect(await call('GET', `/admin/clients?${query}`)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });
});

describe('POST /admin/oauth2/introspect', () => {
  it('hands on token, scope and hint, and answers what it is told', async () => {
    const calls: unknown[] = [];
    const introspect: AdminDependencies['introspect'] = async (...args) => {
      calls.push(args);
      return { active: true, sub: 'x' };
    };
    const { call } = await start({ introspect });
    const form = new URLSearchParams({ token: 'abc', scope: 'a b', token_type_hint: 'access_token' });
    expect(await call('POST', '/admin/oauth2/introspect', form)).toMatchObject({
      status: 200,
      body: { active: true, sub: 'x' },
    });
    expect((await call('POST', '/oauth2/introspect', 'token=abc')).status).toBe(200);
    expect(calls).toEqual([
      ['abc', { scope: 'a b', tokenTypeHint: 'access_token' }],
      ['abc', { scope: undefined, tokenTypeHint: undefined }],
    ]);
  });

  it.each(['', 'token=', 'scope=a', 'token=a&token=b', 'token=a&scope=a&scope=b'])(
    'answers 400 for "%s"',
    async (form) => {
      const { call } = await start({ introspect: async () => ({ active: true }) });
      expect(await call('POST', '/admin/oauth2/introspect', form)).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      });
    },
  );

  it('answers exactly active: false for what is longer than any token', async () => {
    const { call } = await start({ introspect: async () => ({ active: true }) });
    expect((await call('POST', '/admin/oauth2/introspect', `token=${'x'.repeat(20_000)}`)).text).toBe(
      '{"active":false}',
    );
  });

  it('answers 503 with Retry-After when the store is down, not "inactive"', async () => {
    const introspect = async () => {
      throw new CarnetError('storage_unavailable', 'The store did not answer.');
    };
    const { call } = await start({ introspect });
    const { status, headers, body } = await call('POST', '/admin/oauth2/introspect', 'token=abc');
    expect([status, headers.get('retry-after'), body.error]).toEqual([503, '1', 'temporarily_unavailable']);
  });
});

describe('health', () => {
  it('is alive, ready and has a version, with and without the prefix', async () => {
    const { call } = await start();
    for (const prefix of ['', '/admin']) {
      expect(await call('GET', `${prefix}/health/alive`)).toMatchObject({ status: 200, body: { status: 'ok' } });
      expect(await call('GET', `${prefix}/health/ready`)).toMatchObject({ status: 200, body: { status: 'ok' } });
      expect(await call('GET', `${prefix}/version`)).toMatchObject({ status: 200, body: { version: '1.2.3' } });
    }
  });

  it('says what is not ready', async () => {
    const { call } = await start({ ready: async () => ({ database: 'does not answer' }) });
    expect(await call('GET', '/health/ready')).toMatchObject({
      status: 503,
      body: { errors: { database: 'does not answer' } },
    });
    expect((await call('GET', '/health/alive')).status).toBe(200);
  });
});

describe('authorization', () => {
  it('wants the token everywhere but on health', async () => {
    const { call } = await start({}, 'a-long-admin-token');
    const { status, headers, body } = await call('GET', '/admin/clients');
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(body).toEqual({ error: 'The request could not be authorized', error_description: expect.any(String) });
    for (const path of ['/clients', '/clients/', '/version', '/nowhere', '/admin/health/alive/x', '/health/%61live']) {
      expect((await call('GET', path)).status).toBe(401);
    }
    for (const path of ['/health/alive', '/admin/health/ready', '/health/alive/'])
      expect((await call('GET', path)).status).toBe(200);
  });

  it.each([
    ['Bearer a-long-admin-token', 200],
    ['bearer a-long-admin-token', 200],
    ['Bearer a-long-admin-toke', 401],
    ['Bearer a-long-admin-tokenx', 401],
    ['Bearer ', 401],
    ['Basic a-long-admin-token', 401],
    ['a-long-admin-token', 401],
    ['Bearer a-long-admin-token, Bearer x', 401],
  ])('answers "%s" with %d', async (authorization, status) => {
    const { call } = await start({}, 'a-long-admin-token');
    expect((await call('GET', '/admin/clients', undefined, { authorization })).status).toBe(status);
  });

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('takes nothing from a web page (%j) while there is no token', async (headers: Record<string, string>) => {
    const { call, clients } = await start();
    const { status, body } = await call('POST', '/admin/clients', { client_id: 'evil' }, headers);
    expect([status, body.error]).toEqual([403, 'request_forbidden']);
    expect(await clients.find('evil')).toBeUndefined();
    const guarded = await start({}, 'a-long-admin-token');
    const authorization = 'Bearer a-long-admin-token';
    expect((await guarded.call('GET', '/admin/clients', undefined, { ...headers, authorization })).status).toBe(200);
  });
});
