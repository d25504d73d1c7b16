import { UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { startBeforeTests, startInTest } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { adminClients, postForm } from '../call.ts';
import { createClientKeys } from '../client-keys.ts';
import { basicOf, redirectUri } from '../clients.ts';
import { authorizationUrlOf, codeChallenge, credentialsFor, type Json } from '../login.ts';

const keys = await createClientKeys();
const { jwks } = keys;

const instance = startBeforeTests();

const create = (metadata: Json, at = instance) =>
  adminClients(at, 'POST', '', { redirect_uris: [redirectUri], ...metadata });
const patch = (id: string, path: string, value: unknown) =>
  adminClients(instance, 'PATCH', `/${id}`, [{ op: 'replace', path, value }]);

const parameters = {
  response_type: 'code',
  scope: 'openid',
  redirect_uri: redirectUri,
  state: 'a state of the tests',
  code_challenge: codeChallenge,
  code_challenge_method: 'S256',
};
const claimsOf = (id: string) => ({ client_id: id, ...parameters, iss: id, aud: instance.issuer });
const signed = (id: string): Promise<string> => keys.sign(claimsOf(id));
const unsigned = (id: string): string => new UnsecuredJWT(claimsOf(id)).setExpirationTime('5m').encode();

/** The error that ends an authorization request, or the parameter by which the login page is asked. */
const endOf = async (query: Record<string, string>): Promise<string | null> => {
  const { searchParams } = locationOf(await createBrowser().get(authorizationUrlOf(instance, query)));
  return searchParams.has('login_challenge') ? 'login' : searchParams.get('error');
};
const withRequest = async (id: string, request: string | Promise<string>) =>
  endOf({ client_id: id, request: await request });

/** What Ory's command line sends for `hydra create oauth2-client` without any flag. */
const asHydraSends = {
  grant_types: ['authorization_code'],
  response_types: ['code'],
  request_object_signing_alg: 'RS256',
  token_endpoint_auth_method: 'client_secret_basic',
  subject_type: 'public',
  jwks: {},
};

describe('request_object_signing_alg of a client without keys', () => {
  test('the algorithm is stored, and requires no keys', async () => {
    const { status, body } = await create({ ...asHydraSends, client_id: 'hydra' });
    expect([status, body.request_object_signing_alg]).toEqual([201, 'RS256']);
    expect(await endOf({ client_id: 'hydra', ...parameters })).toBe('login');
  });

  test('asks for nothing where request objects are switched off', async () => {
    const other = await startInTest({ config: { features: { jar: { enabled: false } } } });
    const made = await create({ ...asHydraSends, client_id: 'hydra', grant_types: ['client_credentials'] }, other);
    expect(made.status).toBe(201);
    const client = { id: 'hydra', secret: String(made.body.client_secret) };
    expect((await credentialsFor(other, client)).status).toBe(200);
    expect(await create({ ...asHydraSends, jwks }, other)).toMatchObject({
      status: 400,
      body: { error_description: expect.stringContaining('features.jar.enabled') },
    });
  });

  test.each(['RS256', 'ES256', 'none'])('%s: lets no request object in, signed or not', async (alg) => {
    const id = `keyless-${alg}`;
    expect((await create({ client_id: id, request_object_signing_alg: alg })).status).toBe(201);
    expect(await withRequest(id, signed(id))).toBe('invalid_request_object');
    expect(await withRequest(id, unsigned(id))).toBe('invalid_request_object');
    expect(await endOf({ client_id: id, ...parameters })).toBe('login');
  });

  test('holds the client to it as soon as it has keys', async () => {
    await create({ client_id: 'later', request_object_signing_alg: 'RS256' });
    expect((await patch('later', '/jwks', jwks)).status).toBe(200);
    expect(await withRequest('later', signed('later'))).toBe('invalid_request_object');
    expect((await patch('later', '/request_object_signing_alg', 'ES256')).status).toBe(200);
    expect(await withRequest('later', signed('later'))).toBe('login');
    expect(await withRequest('later', unsigned('later'))).toBe('invalid_request_object');
  });

  test.each([{}, { request_object_signing_alg: 'RS256' }, { request_object_signing_alg: 'none', jwks }])(
    'can not be beside required signatures: %j',
    async (metadata) => {
      const { status } = await create({ ...metadata, require_signed_request_object: true });
      expect(status).toBe('request_object_signing_alg' in metadata ? 400 : 201);
    },
  );
});

describe('a client with keys that has registered the algorithm none', () => {
  const id = 'unsigned';
  beforeAll(async () => {
    expect((await create(metadata)).status).toBe(201);
  });
  const metadata = { client_id: id, jwks, request_object_signing_alg: 'none', client_secret: 'a secret of the tests' };

  test('signed and unsigned request objects are refused', async () => {
    expect(await withRequest(id, signed(id))).toBe('invalid_request_object');
    expect(await withRequest(id, unsigned(id))).toBe('invalid_request_object');
    expect(await endOf({ client_id: id, ...parameters })).toBe('login');
  });

  test('may push parameters, which are kept in an unsigned JWT', async () => {
    const authorization = basicOf({ id, secret: metadata.client_secret });
    const push = (form: Record<string, string>) => postForm(`${instance.issuer}/oauth2/par`, form, authorization);
    const { status, body } = await push({ client_id: id, ...parameters });
    expect(status).toBe(201);
    expect(await endOf({ client_id: id, request_uri: String(body.request_uri) })).toBe('login');
    for (const request of [await signed(id), unsigned(id)]) expect((await push({ request })).status).toBe(400);
  });
});

test.each(['client_secret_basic', 'client_secret_post', 'none'])(
  'token_endpoint_auth_signing_alg beside %s is kept, and asks for nothing',
  async (token_endpoint_auth_method) => {
    const { status, body } = await create({ token_endpoint_auth_method, token_endpoint_auth_signing_alg: 'RS256' });
    expect([status, body.token_endpoint_auth_signing_alg]).toEqual([201, 'RS256']);
  },
);
