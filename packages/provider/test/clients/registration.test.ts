import { OidcApi, Configuration as SdkConfiguration } from '@ory/hydra-client';
import { describe, expect, test } from 'vitest';
import { startBeforeTests, startInTest } from '../before-tests.ts';
import { type Answer, adminClients, discovery, refusal, sendJson, userinfo } from '../call.ts';
import { redirectUri, registerClient } from '../clients.ts';
import type { Instance, StartOptions } from '../harness.ts';
import { type Json, login, redeem } from '../login.ts';

type Settings = NonNullable<NonNullable<StartOptions['config']>['oidc']>['dynamicClientRegistration'];

const withRegistration = (settings: Settings, options: StartOptions = {}): StartOptions => ({
  ...options,
  config: { ...options.config, oidc: { dynamicClientRegistration: { enabled: true, ...settings } } },
});
const open = (settings: Settings = {}, options?: StartOptions) => startInTest(withRegistration(settings, options));

const endpoint = ({ issuer }: Instance): string => `${issuer}/oauth2/register`;
const register = (instance: Instance, metadata: Json = {}, bearer?: unknown): Promise<Answer> =>
  sendJson('POST', endpoint(instance), { redirect_uris: [redirectUri], ...metadata }, bearer);
/** The client as it manages itself. */
const manage = ({ body }: Answer, method: string, sent?: unknown, bearer = body.registration_access_token) =>
  sendJson(method, String(body.registration_client_uri), sent, bearer);
const tokens = ({ admin }: Instance, method: string, path = '', sent?: unknown) =>
  sendJson(method, `${admin}/admin/registration-tokens${path}`, sent);

const instance = startBeforeTests(withRegistration({ maxPerMinute: 600 }));

describe('registering', () => {
  test('refuses an initiate_login_uri that is not https (OpenID Connect Core 1.0, section 4)', async () => {
    expect(await register(instance, { initiate_login_uri: 'http://app.test/start' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_client_metadata', error_description: expect.stringContaining('initiate_login_uri') },
    });
    expect((await register(instance, { initiate_login_uri: 'https://app.test/start' })).status).toBe(201);
  });

  test('refuses redirects that the implicit flow could not use, although it is off', async () => {
    const metadata = {
      redirect_uris: ['http://127.0.0.1:3000/cb'],
      grant_types: ['implicit'],
      response_types: ['id_token'],
    };
    expect(await register(instance, metadata)).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_redirect_uri',
        error_description: expect.stringContaining('set application_type to native'),
      },
    });
    expect((await register(instance, { ...metadata, application_type: 'native' })).status).toBe(201);
  });

  test('leaves members without a value out of every answer, where SDKs expect a URL or nothing', async () => {
    const mine = await register(instance, { token_endpoint_auth_method: 'none' });
    const read = await manage(mine, 'GET');
    const changed = await manage(mine, 'PUT', { redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' });
    for (const { body } of [mine, read, changed]) {
      const empty = Object.entries(body).filter(([, value]) =>
        typeof value === 'object' ? Object.keys(value ?? {}).length === 0 : value === '',
      );
      expect(empty).toEqual([]);
    }
    const shown = await adminClients(instance, 'GET', `/${mine.body.client_id}`);
    expect(shown.body).toMatchObject({ client_uri: '', logo_uri: '', owner: '', jwks: {}, audience: [] });
  });

  test('an empty list of redirect URIs, grant types or response types is shown as it is', async () => {
    const { body } = await register(instance, { redirect_uris: [], grant_types: [], response_types: [] });
    expect(body).toMatchObject({ redirect_uris: [], grant_types: [], response_types: [] });
  });

  test.each<[string, Json, string]>([
    ['a secret of its own', { client_secret: 'averylongsecret' }, 'OAuth2 Client secret'],
    ['the hash of one', { client_secret_hash: `$2b$04$${'a'.repeat(53)}` }, 'client_secret_hash'],
    ['metadata', { metadata: { a: 1 } }, 'metadata'],
    ['skip_consent', { skip_consent: true }, 'skip_consent'],
    ['skip_logout_consent', { skip_logout_consent: true }, 'skip_logout_consent'],
    ['access_token_strategy', { access_token_strategy: 'jwt' }, 'access_token_strategy'],
    ['a lifespan', { refresh_token_grant_refresh_token_lifespan: '90000h' }, 'lifespan'],
    ['the client credentials grant', { grant_types: ['client_credentials'] }, 'grant_types'],
    ['the HMAC of a secret', { token_endpoint_auth_method: 'client_secret_jwt' }, 'token_endpoint_auth_method'],
  ])('%s is refused', async (_what, metadata, problem) => {
    const answer = await register(instance, metadata);
    expect(answer).toMatchObject(refusal('invalid_client_metadata'));
    expect(answer.body.error_description).toContain(problem);
  });

  test.each(['[]', '"x"', 'null', '', '{', '{"a":1,"a":2}', `${'['.repeat(2_000)}${']'.repeat(2_000)}`])(
    'a body that is no client is refused: %.12s',
    async (body) => {
      const answer = await fetch(endpoint(instance), { method: 'POST', body });
      expect(answer.status).toBe(400);
    },
  );

  test('the id is not for the client to choose', async () => {
    await registerClient(instance, 'taken');
    const { status, body } = await register(instance, { client_id: 'taken' });
    expect([status, body.client_id === 'taken']).toEqual([201, false]);
  });

  test('there is nothing while it is off', async () => {
    const off = await open({ enabled: false });
    for (const [method, path] of [
      ['POST', ''],
      ['GET', '/x'],
      ['PUT', '/x'],
      ['DELETE', '/x'],
    ] as const) {
      const answer = await sendJson(method, `${endpoint(off)}${path}`, method === 'PUT' ? {} : undefined);
      const error_description = 'Dynamic registration is not enabled.';
      expect(answer).toMatchObject({ status: 404, body: { error_description } });
    }
    expect(await discovery(off)).not.toHaveProperty('registration_endpoint');
  });
});

describe('managing', () => {
  test('a client reads itself, with its token and no other', async () => {
    const [mine, other] = [await register(instance), await register(instance)];
    const { status, body } = await manage(mine, 'GET');
    const { client_secret: _, ...rest } = mine.body;
    expect([status, body]).toEqual([200, rest]);
    const wrong = [
      other.body.registration_access_token,
      'x',
      `${mine.body.registration_access_token}x`,
      mine.body.client_secret,
    ];
    for (const bearer of wrong) {
      for (const [method, sent] of [['GET'], ['PUT', { redirect_uris: [redirectUri] }], ['DELETE']] as const) {
        const refused = await manage(mine, method, sent, bearer);
        expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      }
    }
    expect((await manage(mine, 'GET')).status).toBe(200);
    expect((await sendJson('GET', `${endpoint(instance)}/unknown`, undefined, 'x')).status).toBe(401);
    const uri = String(mine.body.registration_client_uri);
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await sendJson(method, uri, method === 'GET' ? undefined : {})).status).toBe(401);
  });

  test('a change is of everything, and comes with another token (RFC 7592, section 2.2)', async () => {
    const mine = await register(instance, { client_name: 'Before', contacts: ['a@app.test'] });
    const { client_id, client_secret } = mine.body;
    const changed = await manage(mine, 'PUT', { client_id, client_secret, redirect_uris: ['https://app.test/new'] });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ client_id, redirect_uris: ['https://app.test/new'] });
    expect(changed.body).not.toHaveProperty('client_name');
    expect(changed.body.registration_access_token).not.toBe(mine.body.registration_access_token);
    expect((await manage(mine, 'GET')).status).toBe(401);
    expect((await manage(changed, 'GET')).body.redirect_uris).toEqual(['https://app.test/new']);
    const client = { id: String(client_id), secret: String(client_secret) };
    expect((await redeem(instance, client, 'x')).body.error).toBe('invalid_grant');
  });

  test('a secret may not be chosen, nor another client be named', async () => {
    const mine = await register(instance);
    const metadata = { redirect_uris: [redirectUri] };
    const chosen = await manage(mine, 'PUT', { ...metadata, client_secret: 'averylongsecret' });
    expect(chosen).toMatchObject(refusal('request_forbidden', 403));
    const named = await manage(mine, 'PUT', { ...metadata, client_id: 'other' });
    expect(named).toMatchObject(refusal('invalid_client_metadata'));
    expect((await manage(mine, 'GET')).status).toBe(200);
  });

  test('a public client that becomes confidential is given its secret', async () => {
    const mine = await register(instance, { token_endpoint_auth_method: 'none' });
    expect(mine.body).not.toHaveProperty('client_secret');
    const changed = await manage(mine, 'PUT', { redirect_uris: [redirectUri] });
    expect(changed.body.client_secret).toMatch(/^[\w-]{26,}$/);
  });

  test('what an administrator has said of a client stays', async () => {
    const given = {
      skip_consent: true,
      metadata: { team: 'a' },
      access_token_strategy: 'jwt',
      refresh_token_grant_refresh_token_lifespan: '1h0m0s',
    };
    // An administrator has given the grant type, so it may keep it.
    const grant_types = ['authorization_code', 'client_credentials'];
    const created = await adminClients(instance, 'POST', '', { redirect_uris: [redirectUri], grant_types, ...given });
    const redirect_uris = ['https://app.test/new'];
    const changed = await manage(created, 'PUT', { redirect_uris, grant_types });
    expect(changed.status).toBe(200);
    const { body } = await adminClients(instance, 'GET', `/${created.body.client_id}`);
    expect(body).toMatchObject({ redirect_uris, ...given });
    const skipping = await manage(changed, 'PUT', { redirect_uris: [redirectUri], skip_consent: true });
    expect(skipping.status).toBe(400);
  });

  test('a client deletes itself, and its tokens are dead', async () => {
    const mine = await register(instance);
    const client = { id: String(mine.body.client_id), secret: String(mine.body.client_secret) };
    const { access_token: accessToken } = await login(instance, client, {
      params: { scope: 'openid' },
      consent: { grant_scope: ['openid'] },
    });
    expect((await manage(mine, 'DELETE')).status).toBe(204);
    expect((await manage(mine, 'GET')).status).toBe(401);
    expect((await userinfo(instance, accessToken)).status).toBe(401);
  });

  test('of changes at the same time with one token, one is made', async () => {
    const mine = await register(instance);
    const names = ['a', 'b', 'c', 'd', 'e'];
    const answers = await Promise.all(
      names.map((client_name) => manage(mine, 'PUT', { redirect_uris: [redirectUri], client_name })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });

  test('the store and the log contain tokens in hashed form alone', async () => {
    const mine = await register(instance);
    const token = String(mine.body.registration_access_token);
    const stored = await instance.adapter.list({ kind: 'client', limit: 500 });
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(instance.log()).not.toContain(token);
    expect(instance.log()).toContain('client.create');
  });

  test("Hydra's SDK registers, reads, changes and deletes", async () => {
    const sdk = new OidcApi(new SdkConfiguration({ basePath: instance.issuer }));
    const { data, status } = await sdk.createOidcDynamicClient({ oAuth2Client: { redirect_uris: [redirectUri] } });
    expect(status).toBe(201);
    const authorized = (bearer: unknown) => ({ headers: { authorization: `Bearer ${bearer}` } });
    const id = String(data.client_id);
    const read = await sdk.getOidcDynamicClient({ id }, authorized(data.registration_access_token));
    expect(read.data.redirect_uris).toEqual([redirectUri]);
    const changed = await sdk.setOidcDynamicClient(
      { id, oAuth2Client: { ...read.data, client_name: 'Renamed' } },
      authorized(data.registration_access_token),
    );
    expect(changed.data.client_name).toBe('Renamed');
    const removed = await sdk.deleteOidcDynamicClient({ id }, authorized(changed.data.registration_access_token));
    expect(removed.status).toBe(204);
  });
});

describe('policies', () => {
  test('allowed scopes, redirect hosts and grant types are all there is', async () => {
    const strict = await open({
      defaultScope: ['openid'],
      allowedScopes: ['openid', 'email'],
      allowedRedirectHosts: ['app.test', '*.apps.test', 'com.example.app:'],
      allowedGrantTypes: ['authorization_code', 'client_credentials'],
    });
    const allowed = [
      { scope: 'openid email' },
      { grant_types: ['client_credentials'] },
      { redirect_uris: ['https://one.apps.test/cb'] },
      { redirect_uris: ['com.example.app:/cb'] },
    ];
    for (const metadata of allowed) expect((await register(strict, metadata)).status).toBe(201);
    expect((await register(strict)).body.scope).toBe('openid');
    const refused: Json[] = [
      { scope: 'openid admin' },
      { redirect_uris: ['https://evil.test/cb'] },
      { redirect_uris: ['https://apps.test/cb'] },
      { redirect_uris: ['https://evilapps.test/cb'] },
      { redirect_uris: ['https://app.test.evil.test/cb'] },
      { redirect_uris: ['https://app.test@evil.test/cb'] },
      { redirect_uris: ['com.example.other:/cb'] },
      { redirect_uris: [redirectUri, 'https://evil.test/cb'] },
      { post_logout_redirect_uris: ['https://evil.test/bye'] },
      { grant_types: ['authorization_code', 'refresh_token'] },
    ];
    for (const metadata of refused)
      expect([metadata, (await register(strict, metadata)).status]).toEqual([metadata, 400]);
    const mine = await register(strict);
    const changed = await manage(mine, 'PUT', { redirect_uris: ['https://evil.test/cb'] });
    expect(changed.status).toBe(400);
  });

  test('a client that names no scope gets those of the default that are allowed', async () => {
    const strict = await open({ allowedScopes: ['openid', 'email'] });
    const mine = await register(strict);
    expect([mine.status, mine.body.scope]).toEqual([201, 'openid']);
    const changed = await manage(mine, 'PUT', { redirect_uris: [redirectUri] });
    expect([changed.status, changed.body.scope]).toEqual([200, 'openid']);
    const refused = await register(strict, { scope: 'openid admin' });
    expect(refused.body.error_description).toContain('openid, email');
  });

  test('a token of the administrator lets one client in, whoever comes at the same time', async () => {
    const closed = await open({ access: 'token' });
    expect((await register(closed)).status).toBe(401);
    expect((await register(closed, {}, 'carnet_iat_nonsense')).status).toBe(401);
    const { status, body } = await tokens(closed, 'POST');
    expect([status, body.reusable]).toEqual([201, false]);
    const refused = await register(closed, { redirect_uris: ['nonsense'] }, body.token);
    expect(refused.status).toBe(400);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => register(closed, {}, body.token)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 401, 401, 401, 401]);
    const { records } = await closed.adapter.list({ kind: 'client', limit: 10 });
    expect(records).toHaveLength(1);
  });

  test('a reusable token lets in any number, until it is deleted', async () => {
    const closed = await open({ access: 'token' });
    const make = async (): Promise<Json> =>
      (await tokens(closed, 'POST', '', { reusable: true, expires_in: 3_600 })).body;
    const [first, second] = [await make(), await make()];
    for (let i = 0; i < 3; i++) expect((await register(closed, {}, first.token)).status).toBe(201);
    expect((await tokens(closed, 'DELETE', `/${first.id}`)).status).toBe(204);
    expect((await register(closed, {}, first.token)).status).toBe(401);
    expect((await register(closed, {}, second.token)).status).toBe(201);
    expect(await tokens(closed, 'POST', '', { expires_in: 1 })).toMatchObject(refusal('invalid_request'));
  });

  test('in a minute no more are let in than may be, by all processes together', async () => {
    let nowMs = Math.ceil(Date.now() / 60_000) * 60_000;
    const first = await open({ maxPerMinute: 4 }, { now: () => nowMs });
    const second = await open({ maxPerMinute: 4 }, { now: () => nowMs, adapter: first.adapter });
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].flatMap(() => [register(first), register(second)]));
    const created = answers.filter(({ status }) => status === 201);
    expect(created.length).toBeGreaterThan(0);
    expect(created.length).toBeLessThanOrEqual(4);
    for (let i = created.length; i < 4; i++) expect((await register(first)).status).toBe(201);
    const refused = await register(second);
    expect(refused).toMatchObject(refusal('too_many_requests', 429));
    expect(refused.headers.get('retry-after')).toBe('10');
    nowMs += 60_000;
    expect((await register(second)).status).toBe(201);
  });

  test('a program has its own say', async () => {
    const asked: unknown[] = [];
    const choosy = await open(
      {},
      {
        registrationPolicy: async ({ metadata, current }) => {
          asked.push([metadata.client_name, current?.client_name]);
          return metadata.client_name === 'evil' ? 'Not that one.' : undefined;
        },
      },
    );
    const mine = await register(choosy, { client_name: 'good' });
    const refused = { error: 'invalid_client_metadata', error_description: 'Not that one.' };
    const { status, body } = await register(choosy, { client_name: 'evil' });
    expect([status, body]).toEqual([400, refused]);
    expect((await manage(mine, 'PUT', { redirect_uris: [redirectUri], client_name: 'evil' })).status).toBe(400);
    expect(asked).toEqual([
      ['good', undefined],
      ['evil', undefined],
      ['evil', 'good'],
    ]);
  });
});

describe('pages of other origins', () => {
  const origin = 'https://page.test';
  const preflight = (url: string) =>
    fetch(url, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'PUT' } });

  test('may manage a client whose token they have', async () => {
    const mine = await register(instance);
    const url = String(mine.body.registration_client_uri);
    const asked = await preflight(url);
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(asked.headers.get('access-control-allow-headers')).toContain('authorization');
    const headers = { origin, authorization: `Bearer ${mine.body.registration_access_token}` };
    expect((await fetch(url, { headers })).headers.get('access-control-allow-origin')).toBe('*');
  });

  test.each(['open', 'token'] as const)('may register where access is %s, without credentials', async (access) => {
    const instance = await open({ access });
    const asked = await preflight(endpoint(instance));
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(asked.headers.get('access-control-allow-headers')).toContain('content-type');
    const headers = { origin, 'content-type': 'application/json' };
    const body = JSON.stringify({ redirect_uris: [redirectUri] });
    const answer = await fetch(endpoint(instance), { method: 'POST', headers, body });
    const status = access === 'open' ? 201 : 401;
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, '*']);
    for (const { headers } of [asked, answer]) expect(headers.has('access-control-allow-credentials')).toBe(false);
  });

  test('are answered nothing while registration is off', async () => {
    const off = await open({ enabled: false });
    expect((await preflight(endpoint(off))).headers.has('access-control-allow-origin')).toBe(false);
  });
});
