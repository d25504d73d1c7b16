import { beforeTests } from '@carnet/test-servers/before-tests';
import * as oidc from 'openid-client';
import { describe, expect, test } from 'vitest';
import { startBeforeTests } from '../before-tests.ts';
import type { Answer, Json } from '../call.ts';
import { refusal, sendJson } from '../call.ts';
import { redirectUri } from '../clients.ts';
import { token } from '../login.ts';
import { connect, signIn } from '../relying-party.ts';
import { json, openRemote } from '../remote.ts';
import { allOn, answer, ask, claimsOf, everyType } from './answers.ts';

const everyImplicit = { grant_types: ['implicit'], response_types: ['id_token', 'id_token token'] };

describe('OpenID Connect Dynamic Client Registration 1.0', () => {
  const instance = startBeforeTests({
    config: {
      features: allOn,
      oidc: {
        dynamicClientRegistration: { enabled: true, maxPerMinute: 600 },
        subjectIdentifiers: { supportedTypes: ['public', 'pairwise'], pairwise: { salt: 'a salt of the tests' } },
      },
    },
  });

  const register = (metadata: Json = {}): Promise<Answer> =>
    sendJson('POST', `${instance.issuer}/oauth2/register`, { redirect_uris: [redirectUri], ...metadata });
  const clientOf = ({ body }: Answer) => ({ id: String(body.client_id), secret: String(body.client_secret) });
  const read = ({ body }: Answer, bearer?: unknown): Promise<Answer> =>
    sendJson('GET', String(body.registration_client_uri), undefined, bearer);

  describe('2 client metadata', () => {
    test('2 what is left out is code, authorization_code and client_secret_basic', async () => {
      expect((await register()).body).toMatchObject({
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_basic',
        subject_type: 'public',
      });
    });

    test.each<[string, Json]>([
      ['a fragment', { redirect_uris: [`${redirectUri}#here`] }],
      ['http for a web client of the implicit grant', { ...everyImplicit, redirect_uris: ['http://app.test/cb'] }],
      ['localhost for such a client', { ...everyImplicit, redirect_uris: ['https://localhost/cb'] }],
      ['a scheme of its own for a web client', { application_type: 'web', redirect_uris: ['com.example.app:/cb'] }],
      ['http for a native client, but on loopback', { application_type: 'native', redirect_uris: ['http://a.test/'] }],
    ])('2, 3.3 %s in a redirect_uri is refused: invalid_redirect_uri', async (_what, metadata) => {
      expect(await register(metadata)).toMatchObject(refusal('invalid_redirect_uri'));
    });

    test.each<[string, Json]>([
      ['a fragment in a post_logout_redirect_uri', { post_logout_redirect_uris: [`${redirectUri}#here`] }],
      [
        'jwks and jwks_uri at once',
        { jwks: { keys: [{ kty: 'RSA', n: 'AQ', e: 'AQAB' }] }, jwks_uri: 'https://a.test/' },
      ],
      ['private_key_jwt without a key', { token_endpoint_auth_method: 'private_key_jwt' }],
      ['none as token_endpoint_auth_signing_alg', { token_endpoint_auth_signing_alg: 'none' }],
      ['none as id_token_signed_response_alg', { id_token_signed_response_alg: 'none' }],
    ])('2, 3.3 %s is refused', async (_what, metadata) => {
      expect(await register(metadata)).toMatchObject(refusal('invalid_client_metadata'));
    });

    test.each<[string, Json]>([
      ['http on loopback', { application_type: 'native', redirect_uris: ['http://127.0.0.1/cb'] }],
      ['a scheme of its own', { application_type: 'native', redirect_uris: ['com.example.app:/cb'] }],
    ])('2 a native client may have %s', async (_what, metadata) => {
      expect((await register(metadata)).status).toBe(201);
    });

    test('2 metadata that is not understood is ignored', async () => {
      const { status, body } = await register({ 'client_name#ja': '名', unheard_of: 1 });
      expect([status, body.unheard_of]).toEqual([201, undefined]);
    });

    test('2 response types, algorithms, default_max_age and require_auth_time are kept to', async () => {
      const made = await register({
        ...everyType,
        grant_types: ['authorization_code', 'implicit'],
        id_token_signed_response_alg: 'RS256',
        default_max_age: 3_600,
        require_auth_time: true,
      });
      expect(made.status).toBe(201);
      const request = { response_type: 'id_token token', scope: 'openid' };
      const consent = { grant_scope: ['openid'] };
      const { params } = await answer(instance, clientOf(made), request, { consent });
      const claims = await claimsOf(instance, clientOf(made), params.id_token);
      expect(claims.auth_time).toEqual(expect.any(Number));
    });

    test('2 a response type that was not registered is refused', async () => {
      const made = await register();
      const { params } = await ask(instance, clientOf(made), { response_type: 'id_token', scope: 'openid' });
      expect(params.error).toBe('unsupported_response_type');
    });
  });

  describe('3 the registration endpoint', () => {
    test('3.1, 3.2 answers 201 with an id, a secret, when it expires, and what was registered', async () => {
      const { status, headers, body } = await register({ client_name: 'App', contacts: ['ops@app.test'] });
      expect(status).toBe(201);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(body).toMatchObject({
        client_id: expect.stringMatching(/^[\da-f-]{36}$/),
        client_secret: expect.stringMatching(/^[\w-]{26,}$/),
        client_secret_expires_at: 0,
        client_id_issued_at: expect.any(Number),
        registration_access_token: expect.stringMatching(/^carnet_rat_/),
        registration_client_uri: `${instance.issuer}/oauth2/register/${body.client_id}`,
        redirect_uris: [redirectUri],
        client_name: 'App',
        contacts: ['ops@app.test'],
      });
      for (const name of ['metadata', 'skip_consent', 'skip_logout_consent', 'access_token_strategy'])
        expect(body).not.toHaveProperty(name);
    });

    test('3.2 each client has an id and a secret of its own, and both are good at once', async () => {
      const [one, other] = [await register(), await register()];
      expect(new Set([one, other].flatMap(({ body }) => [body.client_id, body.client_secret])).size).toBe(4);
      const { body } = await token(instance, clientOf(one), { grant_type: 'authorization_code', code: 'none' });
      expect(body.error).not.toBe('invalid_client');
    });

    test('3.1 openid-client finds it by discovery, registers, and signs somebody in', async () => {
      const made = await oidc.dynamicClientRegistration(
        new URL(instance.issuer),
        { redirect_uris: [redirectUri], grant_types: ['authorization_code', 'refresh_token'] },
        undefined,
        { execute: [oidc.allowInsecureRequests] },
      );
      const { client_id: id, client_secret: secret, scope } = made.clientMetadata();
      expect(scope).toBe('offline_access offline openid');
      const party = await connect(instance, { id, secret: String(secret) });
      const options = {
        params: { scope: 'openid offline_access' },
        consent: { grant_scope: ['openid', 'offline_access'] },
      };
      const tokens = await signIn(instance, party, options);
      expect([tokens.claims()?.sub, typeof tokens.refresh_token]).toEqual(['alice', 'string']);
    });

    test.each<[string, Json]>([
      ['no redirect_uris', { redirect_uris: undefined }],
      ['redirect_uris that are none', { redirect_uris: ['nonsense'] }],
      ['redirect_uris that are no list', { redirect_uris: redirectUri }],
    ])('3.3 %s: 400, JSON, and invalid_redirect_uri', async (_what, metadata) => {
      const { status, headers, body } = await register(metadata);
      expect(status).toBe(400);
      expect(headers.get('cache-control')).toContain('no-store');
      expect(body).toEqual({ error: 'invalid_redirect_uri', error_description: expect.any(String) });
    });
  });

  describe('4 the client configuration endpoint', () => {
    test('4.2, 4.3 tells a client with its token what is registered', async () => {
      const made = await register({ client_name: 'App' });
      const { status, headers, body } = await read(made, made.body.registration_access_token);
      expect([status, headers.get('cache-control')]).toEqual([200, expect.stringContaining('no-store')]);
      expect(body).toMatchObject({ client_id: made.body.client_id, client_name: 'App', redirect_uris: [redirectUri] });
    });

    test('4.4 without the token, or with that of another client, 401 or 403 and nothing else', async () => {
      const [mine, theirs] = [await register(), await register()];
      for (const bearer of [undefined, 'nothing', theirs.body.registration_access_token]) {
        const { status, body } = await read(mine, bearer);
        expect([401, 403]).toContain(status);
        expect(body).not.toHaveProperty('redirect_uris');
      }
    });

    test('4.4 a client that is not there is answered as one whose token is wrong: 401', async () => {
      const { registration_access_token: bearer } = (await register()).body;
      const { status } = await sendJson('GET', `${instance.issuer}/oauth2/register/nobody`, undefined, bearer);
      expect(status).toBe(401);
    });
  });

  describe('5 sector_identifier_uri', () => {
    const remote = beforeTests(() => openRemote());

    test('5, Core 8.1 two hosts without one are refused: their sector is not known', async () => {
      const redirect_uris = [redirectUri, 'https://other.test/callback'];
      expect(await register({ subject_type: 'pairwise', redirect_uris })).toMatchObject(
        refusal('invalid_client_metadata'),
      );
    });

    test('5 it is fetched, and has to name every redirect_uri', async () => {
      const metadata = { subject_type: 'pairwise', sector_identifier_uri: `${remote.origin}/sector.json` };
      remote.answer = json(['https://other.test/callback']);
      expect((await register(metadata)).status).toBe(400);
      remote.answer = json([redirectUri]);
      expect((await register(metadata)).status).toBe(201);
    });
  });
});
