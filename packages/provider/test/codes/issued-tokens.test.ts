import { beforeTests } from '@carnet/test-servers/before-tests';
import { createLocalJWKSet, createRemoteJWKSet, decodeProtectedHeader, importJWK, jwtVerify, SignJWT } from 'jose';
import * as oidc from 'openid-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { createBrowser, locationOf } from '../browser.ts';
import { registerClient } from '../clients.ts';
import { start, testKeys } from '../harness.ts';
import { authorizationUrl, begin, decideAll, introspect, type Json, login, redeem, refresh, token } from '../login.ts';
import { connect, signIn } from '../relying-party.ts';

const api = 'https://api.test';

describe('the tokens that are issued', () => {
  const instance = beforeTests(() => start({ now: () => Date.now() + offsetMs }));
  let offsetMs = 0;
  let keys: ReturnType<typeof createRemoteJWKSet>;

  beforeAll(async () => {
    keys = createRemoteJWKSet(new URL(`${instance.issuer}/.well-known/jwks.json`));
  });

  const userinfo = (accessToken: unknown) =>
    fetch(`${instance.issuer}/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } });

  describe('ID tokens', () => {
    test('are signed by an RS256, an ES256 or an EdDSA key, all in one key set without private members', async () => {
      const { keys: published } = (await (await fetch(`${instance.issuer}/.well-known/jwks.json`)).json()) as {
        keys: Json[];
      };
      expect(published.map(({ alg }) => alg).toSorted()).toEqual(['ES256', 'EdDSA', 'RS256']);
      expect(new Set(published.map(({ kid }) => kid)).size).toBe(3);
      for (const key of published) {
        expect(key.use).toBe('sig');
        for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(key).not.toHaveProperty(secret);
      }
    });

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
      const byDefault = await start({ config: { keys: { jwks: testKeys as never } } });
      try {
        for (const [at, alg] of [
          [instance, 'ES256'],
          [byDefault, 'RS256'],
        ] as const) {
          const tokens = await login(at, await registerClient(at, 'without-a-choice'));
          expect(decodeProtectedHeader(String(tokens.id_token)).alg).toBe(alg);
        }
      } finally {
        await byDefault.stop();
      }
    });

    test('are not issued without the openid scope', async () => {
      const client = await registerClient(instance, 'plain-oauth');
      const url = new URL(authorizationUrl(instance, client, { scope: 'offline_access profile' }));
      url.searchParams.delete('nonce');
      const browser = createBrowser();
      const consent = { grant_scope: ['offline_access', 'profile'] };
      const end = await decideAll(instance, browser, await begin(browser, url.href), { consent });
      const code = locationOf(await browser.get(end)).searchParams.get('code') ?? '';
      const { body: tokens } = await redeem(instance, client, code);
      expect(tokens).not.toHaveProperty('id_token');
      expect(tokens.scope).toBe('offline_access profile');
      expect((await userinfo(tokens.access_token)).status).toBe(403);
    });
  });

  describe('JWT access tokens', () => {
    const client = beforeTests(() =>
      registerClient(instance, 'jwt-client', { access_token_strategy: 'jwt', audience: [api] }),
    );
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
      expect(Number(payload.exp) - Number(payload.iat)).toBe(3600);
    });

    test('name the audience that was granted, and not one that was merely asked for', async () => {
      const params = { audience: api };
      const granted = await ofLogin({ params, consent: { grant_access_token_audience: [api] } });
      expect((await jwtVerify(String(granted.access_token), keys)).payload.aud).toEqual([api]);
      const denied = await ofLogin({ params });
      expect((await jwtVerify(String(denied.access_token), keys)).payload.aud).toEqual([instance.issuer]);
    });

    test('of client_credentials are about the client itself', async () => {
      const { body } = await token(instance, client, {
        grant_type: 'client_credentials',
        scope: 'profile',
        audience: api,
      });
      const { payload } = await jwtVerify(String(body.access_token), keys, { typ: 'at+jwt', audience: api });
      expect(payload).toMatchObject({
        sub: client.id,
        client_id: client.id,
        scope: 'profile',
        scp: ['profile'],
        ext: {},
      });
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
      expect(await (await userinfo(tokens.access_token)).json()).toMatchObject({ sub: 'alice' });
      expect((await introspect(instance, tokens.access_token)).active).toBe(true);
      await oidc.tokenRevocation(await connect(instance, client), String(tokens.refresh_token));
      expect((await userinfo(tokens.access_token)).status).toBe(401);
      expect(await introspect(instance, tokens.access_token)).toEqual({ active: false });
    });

    test('are dead when they have expired', async () => {
      const { access_token } = await ofLogin();
      offsetMs = 3_601_000;
      try {
        expect((await userinfo(access_token)).status).toBe(401);
        expect(await introspect(instance, access_token)).toEqual({ active: false });
      } finally {
        offsetMs = 0;
      }
    });

    test('of another issuer are none, though it signs with the same key and keeps its grants in the same store', async () => {
      const other = await start({ adapter: instance.adapter });
      try {
        const foreign = await login(other, client);
        await jwtVerify(String(foreign.access_token), keys, { issuer: other.issuer });
        expect((await userinfo(foreign.access_token)).status).toBe(401);
        expect(await introspect(instance, foreign.access_token)).toEqual({ active: false });
      } finally {
        await other.stop();
      }
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
      expect((await userinfo(await resign({ ...protectedHeader }))).status).toBe(200);
      const altered = await resign({ ...protectedHeader, ...change });
      expect((await userinfo(altered)).status).toBe(401);
      expect(await introspect(instance, altered)).toEqual({ active: false });
    });

    test('are not what an ID token can pass for', async () => {
      const { id_token } = await ofLogin();
      expect((await userinfo(id_token)).status).toBe(401);
      expect(await introspect(instance, id_token)).toEqual({ active: false });
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
      ]) {
        expect((await userinfo(forged)).status).toBe(401);
        expect(await introspect(instance, forged)).toEqual({ active: false });
      }
    });
  });

  test('the strategy of the configuration holds for a client that does not choose', async () => {
    const jwts = await start({ config: { tokens: { accessTokenStrategy: 'jwt' } } });
    try {
      const { access_token } = await login(jwts, await registerClient(jwts, 'by-config'));
      const { keys: published } = (await (await fetch(`${jwts.issuer}/.well-known/jwks.json`)).json()) as never;
      await jwtVerify(String(access_token), createLocalJWKSet({ keys: published }), { typ: 'at+jwt' });
      const opaque = await registerClient(jwts, 'opaque', { access_token_strategy: 'opaque' });
      expect((await login(jwts, opaque)).access_token).toMatch(/^carnet_at_/);
    } finally {
      await jwts.stop();
    }
  });
});
