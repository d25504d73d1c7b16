import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createBrowser, locationOf } from './browser.ts';
import { redirectUri, registerClient } from './clients.ts';
import { type DocumentHost, openDocumentHost } from './document-host.ts';
import { type Instance, type StartOptions, start } from './harness.ts';
import {
  acceptLogin,
  authorizationUrl,
  authorize,
  begin,
  challengeIn,
  codeVerifier,
  decideAll,
  headless,
  introspect,
  type Json,
  login,
  redeem,
  refresh,
  token,
} from './login.ts';

let host: DocumentHost;
beforeAll(async () => {
  host = await openDocumentHost();
});
afterAll(() => host.close());

const instances: Instance[] = [];
type DocumentsConfig = NonNullable<
  NonNullable<NonNullable<StartOptions['config']>['features']>['clientIdMetadataDocument']
>;
const open = async (documents: DocumentsConfig = {}, options: StartOptions = {}): Promise<Instance> => {
  const instance = await start({
    ...options,
    config: { ...options.config, features: { clientIdMetadataDocument: { enabled: true, ...documents } } },
  });
  instances.push(instance);
  return instance;
};
afterEach(async () => {
  for (const instance of instances.splice(0)) await instance.stop();
  host.fetched.length = 0;
});

let count = 0;
/** A document of its own for each test. */
const documented = (document: Json = {}, headers?: Readonly<Record<string, string>>): string => {
  count += 1;
  return host.put(
    `/client-${count}.json`,
    {
      client_name: 'Documented',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid offline_access profile',
      ...document,
    },
    headers,
  );
};
const pathOf = (id: string): string => new URL(id).pathname;

/** What a browser is told that comes with this client id. */
const visit = async (instance: Instance, id: string, params: Readonly<Record<string, string>> = {}) => {
  const response = await createBrowser().get(authorizationUrl(instance, { id }, params));
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
};
const isAsked = async (instance: Instance, id: string): Promise<boolean> =>
  (await visit(instance, id)).location?.includes('login_challenge') === true;

describe('a client whose id is the URL of its metadata document', () => {
  test('signs users in, refreshes and is introspected, with one fetch and without a row of its own', async () => {
    const instance = await open();
    const id = documented();
    const tokens = await login(instance, { id });
    const refreshed = await refresh(instance, { id }, tokens.refresh_token);
    expect(refreshed.status).toBe(200);
    expect(await introspect(instance, refreshed.body.access_token)).toMatchObject({ active: true, client_id: id });
    const userinfo = { headers: { authorization: `Bearer ${refreshed.body.access_token}` } };
    expect((await fetch(`${instance.issuer}/userinfo`, userinfo)).status).toBe(200);
    expect(host.fetched).toEqual([pathOf(id)]);
    expect((await instance.adapter.list({ kind: 'client', limit: 10 })).records).toEqual([]);
    expect((await fetch(`${instance.admin}/admin/clients/${encodeURIComponent(id)}`)).status).toBe(404);
  });

  test('is announced in both metadata documents, and unknown while the feature is off', async () => {
    const [on, off] = [await open(), await open({ enabled: false })];
    for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
      const documentOf = async ({ issuer }: Instance) => (await (await fetch(issuer + path)).json()) as Json;
      expect((await documentOf(on)).client_id_metadata_document_supported).toBe(true);
      expect(await documentOf(off)).not.toHaveProperty('client_id_metadata_document_supported');
    }
    expect((await visit(off, documented())).status).toBe(302);
    expect(host.fetched).toEqual([]);
  });

  test('is shown to the login app with its URL and what the document says, and to the audit log', async () => {
    const instance = await open();
    const id = documented({ client_uri: 'https://app.test' });
    const challenge = await begin(createBrowser(), authorizationUrl(instance, { id }));
    const { body } = await headless(instance, 'GET', `login?login_challenge=${challenge}`);
    expect(body.client).toMatchObject({
      client_id: id,
      client_name: 'Documented',
      client_uri: 'https://app.test',
      token_endpoint_auth_method: 'none',
    });
    expect(instance.log()).toContain('"action":"client.document","outcome":"success"');
  });

  test('has its tokens when its document is fetched again, by another process too', async () => {
    const id = documented();
    const first = await open();
    const tokens = await login(first, { id });
    const second = await open({}, { adapter: first.adapter });
    expect(await introspect(second, tokens.access_token)).toMatchObject({ active: true });
    expect(host.fetched).toHaveLength(2);
  });

  test('listens on any port of the loopback interface (RFC 8252, section 7.3)', async () => {
    const instance = await open();
    const id = documented({ redirect_uris: ['http://127.0.0.1/callback'] });
    const url = authorizationUrl(instance, { id }, { redirect_uri: 'http://127.0.0.1:49152/callback' });
    expect(locationOf(await createBrowser().get(url)).searchParams.has('login_challenge')).toBe(true);
  });

  test('authenticates by private_key_jwt where its document has keys', async () => {
    const instance = await open();
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] };
    const id = documented({ token_endpoint_auth_method: 'private_key_jwt', jwks });
    const redeemWith = async (more: Record<string, string>) => {
      const at = await authorize(instance, { id });
      return token(
        instance,
        { id },
        {
          grant_type: 'authorization_code',
          code: at.searchParams.get('code') ?? '',
          redirect_uri: redirectUri,
          code_verifier: codeVerifier,
          ...more,
        },
      );
    };
    const assertion = await new SignJWT({ jti: 'once' })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(id)
      .setSubject(id)
      .setAudience(instance.issuer)
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(privateKey);
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    expect((await redeemWith({ client_assertion: assertion, client_assertion_type })).status).toBe(200);
    expect((await redeemWith({})).body.error).toBe('invalid_client');
  });

  test('that an administrator has registered is what was registered, and nothing is fetched', async () => {
    const instance = await open();
    const id = documented();
    await registerClient(instance, id, { token_endpoint_auth_method: 'none', grant_types: ['refresh_token'] });
    expect(await isAsked(instance, id)).toBe(false);
    expect(host.fetched).toEqual([]);
  });

  test('gets of its lists what clients may register here', async () => {
    const settings = { allowedScopes: ['openid', 'profile'], allowedGrantTypes: ['authorization_code'] };
    const instance = await open({}, { config: { oidc: { dynamicClientRegistration: settings } } });
    const id = documented({
      scope: 'openid profile admin',
      grant_types: ['authorization_code', 'client_credentials', 'urn:example:other'],
    });
    const challenge = await begin(createBrowser(), authorizationUrl(instance, { id }, { scope: 'openid profile' }));
    const { client } = (await headless(instance, 'GET', `login?login_challenge=${challenge}`)).body as { client: Json };
    expect(client).toMatchObject({ scope: 'openid profile', grant_types: ['authorization_code'] });
  });

  test.each<[string, Json]>([
    ['another client_id', { client_id: 'https://127.0.0.1/other' }],
    ['a secret', { client_secret: 'a secret of many characters' }],
    ['the expiry of a secret', { client_secret_expires_at: 0 }],
    ['client_secret_basic', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['client_secret_post', { token_endpoint_auth_method: 'client_secret_post' }],
    ['client_secret_jwt', { token_endpoint_auth_method: 'client_secret_jwt' }],
    ['a method of certificates', { token_endpoint_auth_method: 'tls_client_auth' }],
    ['a private key', { jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd' }] } }],
    ['no redirect URI', { redirect_uris: [] }],
    ['a redirect URI that is a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['a redirect URI of plain http', { redirect_uris: ['http://app.test/callback'] }],
    ['skip_consent', { skip_consent: true }],
    ['metadata of administrators', { metadata: { trusted: true } }],
    ['a name of 300 characters', { client_name: 'x'.repeat(300) }],
  ])('is refused with %s, by an error page and never a redirect', async (_what, document) => {
    const instance = await open();
    const id = documented(document);
    const { location } = await visit(instance, id);
    expect(location === null || location.startsWith('http://login.test/error')).toBe(true);
    expect(instance.log()).toContain('"action":"client.document","outcome":"denied"');
    const answer = await token(instance, { id }, { grant_type: 'refresh_token', refresh_token: 'x' });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_client']);
  });

  test.each<[string, Parameters<DocumentHost['answer']>[1]]>([
    ['a redirect', { status: 302, headers: { location: '/client-1.json' } }],
    ['text', { body: 'hello' }],
    ['a list', { body: '[]' }],
    ['an empty answer', {}],
    ['201', { status: 201, body: '{}' }],
    ['404', { status: 404 }],
    ['JSON with a member twice', { body: '{"client_id":"a","client_id":"b"}' }],
    ['more than 10 KB', { body: JSON.stringify({ client_name: 'x'.repeat(10_240) }) }],
  ])('gets the same answer whatever else is at its URL: %s', async (what, given) => {
    const instance = await open();
    const id = host.answer(`/${encodeURIComponent(what)}`, given);
    const answer = await token(instance, { id }, { grant_type: 'refresh_token', refresh_token: 'x' });
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: 'invalid_client',
        error_description: 'There is no metadata document of this client at the URL of its client_id.',
      },
    ]);
  });

  test('is fetched from the hosts of allowedHosts alone', async () => {
    const instance = await open({ allowedHosts: ['app.example.com', '*.trusted.test'] });
    const answer = await token(instance, { id: documented() }, { grant_type: 'refresh_token', refresh_token: 'x' });
    expect(answer.body.error_description).toContain('takes no clients from its host');
    expect(host.fetched).toEqual([]);
  });

  test('is never fetched from a private address that the configuration does not allow', async () => {
    const instance = await open();
    const answer = await token(
      instance,
      { id: 'https://10.0.0.1/client' },
      { grant_type: 'refresh_token', refresh_token: 'x' },
    );
    expect([answer.status, answer.body.error]).toEqual([503, 'temporarily_unavailable']);
    expect(JSON.stringify(answer.body)).not.toContain('10.0.0.1');
    expect(instance.log()).toContain('private_address');
  });
});

describe('the documents in memory', () => {
  test('are fetched once by requests at the same time, and again when their headers and the bounds say so', async () => {
    let nowMs = Date.now();
    const instance = await open({ cacheMin: 60, cacheMax: '1h' }, { now: () => nowMs });
    const id = documented({}, { 'cache-control': 'max-age=600' });
    expect(await Promise.all([1, 2, 3, 4].map(() => isAsked(instance, id)))).toEqual([true, true, true, true]);
    nowMs += 599_000;
    expect(await isAsked(instance, id)).toBe(true);
    expect(host.fetched).toHaveLength(1);
    nowMs += 2_000;
    expect(await isAsked(instance, id)).toBe(true);
    expect(host.fetched).toHaveLength(2);
  });

  test('are used while their host fails, no longer than cacheMax; one that is gone is refused at once', async () => {
    let nowMs = Date.now();
    const instance = await open({ cacheMin: 60, cacheMax: '1h' }, { now: () => nowMs });
    const id = documented();
    const ask = async () => (await token(instance, { id }, { grant_type: 'refresh_token', refresh_token: 'x' })).status;
    expect(await isAsked(instance, id)).toBe(true);
    host.answer(pathOf(id), { status: 503 });
    nowMs += 120_000;
    expect(await isAsked(instance, id)).toBe(true);
    nowMs += 3_600_000;
    expect(await ask()).toBe(503);
    const gone = documented();
    expect(await isAsked(instance, gone)).toBe(true);
    host.answer(pathOf(gone), { status: 404 });
    nowMs += 120_000;
    expect(await isAsked(instance, gone)).toBe(false);
  });

  test('are fetched at most so often a minute, whatever ids callers invent; those in memory go on to work', async () => {
    let nowMs = Date.now();
    const instance = await open({ maxFetchesPerMinute: 5, cacheMin: 60 }, { now: () => nowMs });
    const id = documented();
    expect(await isAsked(instance, id)).toBe(true);
    const invented = Array.from({ length: 20 }, (_, n) => host.answer(`/invented-${n}`, { status: 404 }));
    const answers = await Promise.all(
      invented.map((each) => token(instance, { id: each }, { grant_type: 'refresh_token', refresh_token: 'x' })),
    );
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(16);
    expect(host.fetched).toHaveLength(5);
    nowMs += 61_000;
    const more = invented.map((each) =>
      token(instance, { id: each }, { grant_type: 'refresh_token', refresh_token: 'x' }),
    );
    await Promise.all(more);
    expect(await isAsked(instance, id)).toBe(true);
  });

  test('are no more than maxDocuments', async () => {
    const instance = await open({ maxDocuments: 10 });
    const ids = Array.from({ length: 11 }, () => documented());
    for (const id of ids) expect(await isAsked(instance, id)).toBe(true);
    expect(await isAsked(instance, ids[0] ?? '')).toBe(true);
    expect(host.fetched).toHaveLength(12);
  });
});

describe('a document that changes while a flow is under way', () => {
  test('ends the flow without a redirect when it no longer has the redirect URI', async () => {
    let nowMs = Date.now();
    const instance = await open({ cacheMin: 1, cacheMax: 60 }, { now: () => nowMs });
    const id = documented();
    const browser = createBrowser();
    const challenge = await begin(browser, authorizationUrl(instance, { id }));
    const end = await decideAll(instance, browser, challenge);
    host.put(pathOf(id), { redirect_uris: ['https://evil.test/callback'], scope: 'openid offline_access profile' });
    nowMs += 120_000;
    const response = await browser.get(end);
    expect(response.headers.get('location') ?? '').not.toMatch(/app\.test|evil\.test/);
  });

  test('shows the consent app the client as it is now', async () => {
    let nowMs = Date.now();
    const instance = await open({ cacheMin: 1, cacheMax: 60 }, { now: () => nowMs });
    const id = documented();
    const browser = createBrowser();
    const challenge = await begin(browser, authorizationUrl(instance, { id }));
    host.put(pathOf(id), {
      client_name: 'Renamed',
      redirect_uris: [redirectUri],
      scope: 'openid offline_access profile',
    });
    nowMs += 120_000;
    const toConsent = await acceptLogin(instance, challenge, { subject: 'alice' });
    const consent = challengeIn(await browser.get(toConsent), 'consent');
    const { client } = (await headless(instance, 'GET', `consent?consent_challenge=${consent}`)).body as {
      client: Json;
    };
    expect(client.client_name).toBe('Renamed');
  });
});

describe('a client whose document can not be had', () => {
  test('never stops what is done for others: consents are listed, and introspection tells gone from unreachable', async () => {
    const id = documented();
    const first = await open();
    const code = (await authorize(first, { id })).searchParams.get('code') ?? '';
    const tokens = (await redeem(first, { id }, code)).body;
    host.answer(pathOf(id), { status: 503 });
    const second = await open({}, { adapter: first.adapter });
    const list = await fetch(`${second.admin}/admin/oauth2/auth/sessions/consent?subject=alice`);
    const consents = (await list.json()) as { consent_request: { client: Json } }[];
    expect([list.status, consents.map(({ consent_request: { client } }) => client.client_id)]).toEqual([200, [id]]);
    expect((await introspect(second, tokens.access_token)).error).toBe('temporarily_unavailable');
    const userinfo = { headers: { authorization: `Bearer ${tokens.access_token}` } };
    expect((await fetch(`${second.issuer}/userinfo`, userinfo)).status).toBe(503);
    host.answer(pathOf(id), { status: 404 });
    expect(await introspect(second, tokens.access_token)).toEqual({ active: false });
  });
});
