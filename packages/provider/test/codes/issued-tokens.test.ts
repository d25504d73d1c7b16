import { beforeTests } from '@carnet/test-servers/before-tests';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeProtectedHeader,
  importJWK,
  type JSONWebKeySet,
  jwtVerify,
  SignJWT,
} from 'jose';
import * as oidc from 'openid-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { registerBeforeTests, startInTest } from '../before-tests.ts';
import { publishedKeys, userinfo } from '../call.ts';
import { registerClient } from '../clients.ts';
import { start, testKeys } from '../harness.ts';
import { credentialsFor, introspect, type Json, login, refresh } from '../login.ts';
import { connect, signIn } from '../relying-party.ts';

const api = 'https://api.test';

describe('the tokens that are issued', () => {
  const instance = beforeTests(() => start({ now: () => Date.now() + offsetMs }));
  let offsetMs = 0;
  let keys: ReturnType<typeof createRemoteJWKSet>;

  beforeAll(async () => {
    keys = createRemoteJWKSet(new URL(`${instance.issuer}/.well-known/jwks.json`));
  });

  describe('ID tokens', () => {
    test.each(['RS256', 'ES256', 'EdDSA'])('are signed with %s for a client that is registered for it', async (alg) => {
      const client = await registerClient(instance, `for-${alg}`, { id_token_signed_response_alg: alg });
      const config = await connect(instance, client, undefined, { id_token_signed_response_alg: alg });
      oidc.enableNonRepudiationChecks(config);
      const tokens = await signIn(instance, config);
      const { protectedHeader, payload } = await jwtVerify(String(tokens.id_token), keys, {
        issuer: instance.issuer,
        audience: client.id,
        algorithms: [alg],
      });
      expect(protectedHeader.kid).toBe(testKeys.keys.find((key) => key.alg === alg)?.kid);
      expect(payload.sub).toBe('alice');
    });

    test('are signed as the configuration says for a client that does not choose', async () => {
      const byDefault = await startInTest({ config: { keys: { jwks: testKeys as never } } });
      for (const [at, alg] of [
        [instance, 'ES256'],
        [byDefault, 'RS256'],
      ] as const) {
        const tokens = await login(at, await registerClient(at, 'without-a-choice'));
        expect(decodeProtectedHeader(String(tokens.id_token)).alg).toBe(alg);
      }
    });
  });

  describe.each(['opaque', 'jwt'])('%s access tokens', (access_token_strategy) => {
    const client = registerBeforeTests(instance, `of-grants-${access_token_strategy}`, { access_token_strategy });
    const namesIn = (body: Json) => Object.keys(body).filter((name) => name.endsWith('_token'));

    test.each([
      [
        ['offline_access', 'openid'],
        ['access_token', 'id_token', 'refresh_token'],
      ],
      [['offline_access'], ['access_token', 'refresh_token']],
      [['openid'], ['access_token', 'id_token']],
    ])('come with what the granted scopes stand for, at a refresh too: %j, %j', async (grant_scope, expected) => {
      const tokens = await login(instance, client, { consent: { grant_scope } });
      expect(namesIn(tokens).toSorted()).toEqual(expected);
      if (tokens.refresh_token === undefined) return;
      const { body } = await refresh(instance, client, tokens.refresh_token);
      expect(namesIn(body).toSorted()).toEqual(expected);
      for (const name of expected) expect(body[name]).not.toBe(tokens[name]);
      const partsOf = (value: unknown) => String(value).split('.').length;
      const parts = [partsOf(body.access_token), partsOf(body.refresh_token)];
      expect(parts).toEqual([access_token_strategy === 'jwt' ? 3 : 2, 2]);
    });

    test('come alone where a client asks for itself, whatever its scopes', async () => {
      const { body } = await credentialsFor(instance, client, { scope: 'openid offline_access' });
      expect(namesIn(body)).toEqual(['access_token']);
    });
  });

  describe('JWT access tokens', () => {
    const client = registerBeforeTests(instance, 'jwt-client', { access_token_strategy: 'jwt', audience: [api] });
    const expectNone = async (value: unknown): Promise<void> => {
      expect((await userinfo(instance, value)).status).toBe(401);
      expect(await introspect(instance, value)).toEqual({ active: false });
    };
    const ofLogin = (options: Parameters<typeof login>[2] = {}) => login(instance, client, options);

    test('have the header and claims of RFC 9068 and those Hydra’s users read', async () => {
      const tokens = await ofLogin({ consent: { session: { access_token: { tenant: 'acme' } } } });
      const { payload, protectedHeader } = await jwtVerify(String(tokens.access_token), keys, {
        issuer: instance.issuer,
        audience: instance.issuer,
        typ: 'at+jwt',
        requiredClaims: ['exp', 'iat', 'nbf', 'jti', 'sub'],
      });
      expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
      expect(payload).toMatchObject({
        sub: 'alice',
        client_id: client.id,
        scope: 'openid offline_access profile',
        scp: ['openid', 'offline_access', 'profile'],
        ext: { tenant: 'acme' },
      });
      expect(payload).not.toHaveProperty('tenant');
      expect([Number(payload.exp) - Number(payload.iat), payload.nbf]).toEqual([3600, payload.iat]);
    });

    test('name the audience that was granted, and not one that was merely asked for', async () => {
      const params = { audience: api };
      const granted = await ofLogin({ params, consent: { grant_access_token_audience: [api] } });
      expect((await jwtVerify(String(granted.access_token), keys)).payload.aud).toEqual([api]);
      const denied = await ofLogin({ params });
      expect((await jwtVerify(String(denied.access_token), keys)).payload.aud).toEqual([instance.issuer]);
    });

    test('of client_credentials are about the client itself', async () => {
      const { body } = await credentialsFor(instance, client, { scope: 'profile', audience: api });
      const { payload } = await jwtVerify(String(body.access_token), keys, { typ: 'at+jwt', audience: api });
      const scopes = { scope: 'profile', scp: ['profile'] };
      expect(payload).toMatchObject({ sub: client.id, client_id: client.id, ...scopes, ext: {} });
    });

    test('are renewed with what was granted', async () => {
      const { refresh_token } = await ofLogin({
        params: { audience: api },
        consent: { grant_access_token_audience: [api], session: { access_token: { tenant: 'acme' } } },
      });
      const { body } = await refresh(instance, client, refresh_token);
      const { payload } = await jwtVerify(String(body.access_token), keys, { typ: 'at+jwt', audience: api });
      expect(payload).toMatchObject({ sub: 'alice', ext: { tenant: 'acme' } });
    });

    test('open userinfo and are introspected as active until their grant is revoked', async () => {
      const tokens = await ofLogin();
      expect((await userinfo(instance, tokens.access_token)).body).toMatchObject({ sub: 'alice' });
      expect((await introspect(instance, tokens.access_token)).active).toBe(true);
      await oidc.tokenRevocation(await connect(instance, client), String(tokens.refresh_token));
      await expectNone(tokens.access_token);
    });

    test('are dead when they have expired', async () => {
      const { access_token } = await ofLogin();
      offsetMs = 3_601_000;
      try {
        await expectNone(access_token);
      } finally {
        offsetMs = 0;
      }
    });

    test('of another issuer are none, though it signs with the same key and keeps its grants in the same store', async () => {
      const other = await startInTest({ adapter: instance.adapter });
      const foreign = await login(other, client);
      await jwtVerify(String(foreign.access_token), keys, { issuer: other.issuer });
      await expectNone(foreign.access_token);
    });

    test.each([
      ['of another type', { typ: 'logout+jwt' }],
      ['without a type', { typ: undefined }],
      ['without a key id', { kid: undefined }],
      ['that names the key of another algorithm', { alg: 'EdDSA' }],
    ])('%s are none, though the key is ours', async (_what, change) => {
      const { access_token } = await ofLogin();
      const { payload, protectedHeader } = await jwtVerify(String(access_token), keys);
      const resign = async (header: Json) => {
        const jwk = testKeys.keys.find(({ alg }) => alg === header.alg);
        return new SignJWT(payload).setProtectedHeader(header as never).sign(await importJWK(jwk as never));
      };
      // The control: signed here with the unchanged header, it is taken.
      expect((await userinfo(instance, await resign({ ...protectedHeader }))).status).toBe(200);
      await expectNone(await resign({ ...protectedHeader, ...change }));
    });

    test('are not what an ID token can pass for', async () => {
      await expectNone((await ofLogin()).id_token);
    });

    test('a token with a changed claim, without a signature, or with alg none is invalid', async () => {
      const { access_token } = await ofLogin();
      const [head, body, signature] = String(access_token).split('.');
      const claims = JSON.parse(Buffer.from(body ?? '', 'base64url').toString()) as Json;
      const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const none = encode({ alg: 'none', typ: 'at+jwt' });
      for (const forged of [
        `${head}.${encode({ ...claims, sub: 'mallory' })}.${signature}`,
        `${head}.${body}.`,
        `${none}.${body}.`,
        `${none}.${body}.${signature}`,
      ])
        await expectNone(forged);
    });
  });

  test('the strategy of the configuration holds for a client that does not choose', async () => {
    const jwts = await startInTest({ config: { tokens: { accessTokenStrategy: 'jwt' } } });
    const { access_token } = await login(jwts, await registerClient(jwts, 'by-config'));
    const published = (await publishedKeys(jwts)) as unknown as JSONWebKeySet;
    await jwtVerify(String(access_token), createLocalJWKSet(published), { typ: 'at+jwt' });
    const opaque = await registerClient(jwts, 'opaque', { access_token_strategy: 'opaque' });
    expect((await login(jwts, opaque)).access_token).toMatch(/^carnet_at_/);
  });
});
