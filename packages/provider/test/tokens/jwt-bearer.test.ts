import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AssertionIssuer, bearerGrant, createAssertionIssuer, trust } from '../assertions.ts';
import { registerBeforeTests, startBeforeTests, startInTest } from '../before-tests.ts';
import { postForm, refusal, userinfo } from '../call.ts';
import { basicOf, registerClient } from '../clients.ts';
import { secretsIn } from '../leaks.ts';
import { introspect, type Json, token } from '../login.ts';
import { connect } from '../relying-party.ts';

const metadata = { grant_types: [bearerGrant], scope: 'read write admin', audience: ['https://api.test'] };

describe('access tokens for assertions of trusted issuers (RFC 7523)', () => {
  const instance = startBeforeTests({ config: { features: { jwtBearer: { maxAssertionSeconds: 3_600 } } } });
  const client = registerBeforeTests(instance, 'bearer', metadata);
  let trusted: AssertionIssuer;

  beforeAll(async () => {
    trusted = await createAssertionIssuer();
    expect((await trust(instance, trusted)).status).toBe(201);
  });
  afterEach(() => expect(secretsIn(instance.log())).toEqual([]));

  const use = (assertion: string, more: Readonly<Record<string, string>> = {}, by = client) =>
    token(instance, by, { grant_type: bearerGrant, assertion, ...more });
  const now = () => Math.floor(Date.now() / 1000);

  test('are given once, at one read and one commit, and say whom they are about', async () => {
    const assertion = await trusted.sign(`${instance.issuer}/oauth2/token`);
    instance.calls.reset();
    const first = await use(assertion, { scope: 'read', audience: 'https://api.test' });
    expect([instance.calls.reads.length, instance.calls.commits.length]).toEqual([1, 1]);
    expect(first.body).toEqual({
      access_token: expect.stringMatching(/^carnet_at_/),
      expires_in: 3600,
      scope: 'read',
      token_type: 'Bearer',
    });
    expect(await introspect(instance, first.body.access_token)).toMatchObject({
      active: true,
      sub: 'alice',
      client_id: 'bearer',
      scope: 'read',
      aud: ['https://api.test'],
      token_use: 'access_token',
    });
    const { status, body } = await use(assertion, { scope: 'read' });
    const error_description = 'assertions must only be used once';
    expect([status, body]).toEqual([400, { error: 'invalid_grant', error_description }]);
  });

  test('are not given for ever: a time that no date can write is refused, and the last that can is not', async () => {
    const until = (expires_at: string) =>
      trust(instance, { ...trusted, issuer: `https://${expires_at}.test` }, { expires_at });
    expect((await until('9999-12-31T23:59:59-23:59')).status).toBe(400);
    const last = await until('9999-12-31T23:59:59Z');
    expect([last.status, ((await last.json()) as Json).expires_at]).toEqual([201, '9999-12-31T23:59:59Z']);
  });

  test('are given to one of 8 parallel uses of an assertion', async () => {
    const assertion = await trusted.sign(instance.issuer);
    const answers = await Promise.all(Array.from({ length: 8 }, () => use(assertion)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(400)]);
  });

  test('are as the client is registered: JWTs, and as long as its lifespan', async () => {
    const jwt = await registerClient(instance, 'bearer-jwt', {
      ...metadata,
      access_token_strategy: 'jwt',
      jwt_bearer_grant_access_token_lifespan: '7m',
    });
    const { body } = await use(await trusted.sign(instance.issuer), { scope: 'read write' }, jwt);
    expect(body.expires_in).toBe(420);
    expect(decodeJwt(String(body.access_token))).toMatchObject({
      sub: 'alice',
      scope: 'read write',
      client_id: jwt.id,
    });
    expect(await introspect(instance, body.access_token)).toMatchObject({ active: true, sub: 'alice' });
  });

  test('can be revoked, and are no key to userinfo', async () => {
    const { body } = await use(await trusted.sign(instance.issuer));
    expect((await userinfo(instance, body.access_token)).status).toBe(401);
    const form = { token: String(body.access_token) };
    const revoked = await postForm(`${instance.issuer}/oauth2/revoke`, form, basicOf(client));
    expect(revoked.status).toBe(200);
    expect(await introspect(instance, body.access_token)).toEqual({ active: false });
  });

  test('come by openid-client too', async () => {
    const config = await connect(instance, client);
    const assertion = await trusted.sign(config.serverMetadata().token_endpoint ?? '');
    const tokens = await oidc.genericGrantRequest(config, bearerGrant, { assertion, scope: 'write' });
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'write' });
    expect(config.serverMetadata().grant_types_supported).toContain(bearerGrant);
  });

  test('are not given beyond the scope of the issuer or of the client', async () => {
    const assertion = await trusted.sign(instance.issuer);
    for (const scope of ['admin', 'other'])
      expect(await use(assertion, { scope })).toMatchObject(refusal('invalid_scope'));
    expect(await use(assertion, { audience: 'https://other.test' })).toMatchObject(refusal('invalid_request'));
    // What was refused for another reason has not been used up.
    expect((await use(assertion, { scope: 'read' })).status).toBe(200);
  });

  test.each<[string, Json, Json?]>([
    ['has expired', { exp: now() - 31 }],
    ['has no exp', { exp: undefined }],
    ['may be valid for too long', { exp: now() + 7_200 }],
    ['may be valid for too long, hidden by an iat in the future', { iat: now() + 7_000, exp: now() + 7_200 }],
    ['has no iat', { iat: undefined }],
    ['has no jti', { jti: undefined }],
    ['has no sub', { sub: undefined }],
    ['has a sub that is no text', { sub: 7 }],
    ['has a sub longer than can be stored', { sub: 'x'.repeat(1_025) }],
    ['has a sub with white space at its end', { sub: 'alice\u00a0' }],
    ['is not valid yet', { nbf: now() + 600 }],
    ['is for another server', { aud: 'https://other.test/oauth2/token' }],
    ['is for nobody', { aud: undefined }],
    ['is of an issuer that is not trusted', { iss: 'https://else.test' }],
    ['names a key that is not trusted', {}, { kid: 'key-2' }],
    ['names no key and is of an issuer that is not trusted', { iss: 'https://else.test' }, { kid: undefined }],
    ['names no key and has expired', { exp: now() - 31 }, { kid: undefined }],
    ['names a key by something that is no text', {}, { kid: 7 }],
  ])('are refused for an assertion that %s', async (_what, claims, header) => {
    expect(await use(await trusted.sign(instance.issuer, claims, header))).toMatchObject(refusal('invalid_grant'));
  });

  test('are refused for a signature of another key, none at all, or the public key as a shared secret', async () => {
    const other = await createAssertionIssuer(trusted.issuer, trusted.jwk.kid);
    const assertion = await other.sign(instance.issuer);
    const [, payload] = assertion.split('.');
    const none = `${Buffer.from(JSON.stringify({ alg: 'none', kid: trusted.jwk.kid })).toString('base64url')}.${payload}.`;
    for (const bad of [assertion, none, 'x', 'a.b.c', '']) expect((await use(bad)).status).toBe(400);
    expect(await use(none)).toMatchObject(refusal('invalid_grant'));
  });

  test('are given for an assertion whose nbf has passed, and to no client that sends no secret', async () => {
    const assertion = await trusted.sign(instance.issuer, { nbf: now() - 60 });
    const form = { grant_type: bearerGrant, assertion };
    expect((await postForm(`${instance.issuer}/oauth2/token`, form)).status).toBe(400);
    expect((await use(assertion)).status).toBe(200);
  });

  test('are for clients that are registered for it, and without an assertion for none', async () => {
    const other = await registerClient(instance, 'no-bearer');
    expect((await use(await trusted.sign(instance.issuer), {}, other)).body.error).toBe('unauthorized_client');
    expect((await token(instance, client, { grant_type: bearerGrant })).body.error).toBe('invalid_request');
  });

  test('are given for an assertion without kid that one of the keys of its issuer has signed', async () => {
    const issuer = 'https://several.test';
    const algorithms = ['ES256', 'RS256', 'ES256', 'EdDSA'];
    const several = await Promise.all(algorithms.map((alg, at) => createAssertionIssuer(issuer, `key-${at}`, alg)));
    for (const one of several) expect((await trust(instance, one)).status).toBe(201);
    const signedBy = (one?: AssertionIssuer) => one?.sign(instance.issuer, {}, { kid: undefined }) ?? '';
    await expect.poll(async () => (await use(await signedBy(several[0]))).status, { timeout: 10_000 }).toBe(200);
    for (const one of several) {
      const assertion = await signedBy(one);
      expect([one.jwk.kid, (await use(assertion)).status]).toEqual([one.jwk.kid, 200]);
      expect(await use(assertion)).toMatchObject(refusal('invalid_grant'));
    }
    const unknownIssuer = await createAssertionIssuer(issuer, 'key-0');
    expect(await use(await signedBy(unknownIssuer))).toMatchObject(refusal('invalid_grant'));
  });

  test.each([undefined, 'k'])(
    'are given no more for an assertion with the kid %s once its issuer is deleted',
    async (kid) => {
      const brief = await createAssertionIssuer(`https://brief-${kid}.test`, 'k', 'RS256');
      const { id } = (await (await trust(instance, brief)).json()) as { id: string };
      const sign = () => brief.sign(instance.issuer, {}, { kid });
      await expect.poll(async () => (await use(await sign())).status).toBe(200);
      const url = `${instance.admin}/admin/trust/grants/jwt-bearer/issuers/${id}`;
      expect((await fetch(url, { method: 'DELETE' })).status).toBe(204);
      expect(await use(await sign())).toMatchObject(refusal('invalid_grant'));
    },
  );

  test('are given for the subject alone that an issuer was named with', async () => {
    const narrow = await createAssertionIssuer('https://narrow.test');
    expect((await trust(instance, narrow, { subject: 'bob' })).status).toBe(201);
    expect(await use(await narrow.sign(instance.issuer))).toMatchObject(refusal('invalid_grant'));
    expect((await use(await narrow.sign(instance.issuer, { sub: 'bob' }))).status).toBe(200);
  });
});

test('the grant type is absent with features.jwtBearer.enabled: false', async () => {
  const instance = await startInTest({ config: { features: { jwtBearer: { enabled: false } } } });
  const client = await registerClient(instance, 'bearer', metadata);
  const { body } = await token(instance, client, { grant_type: bearerGrant, assertion: 'x' });
  expect(body.error).toBe('unsupported_grant_type');
});

test('iatOptional and jtiOptional let assertions lack them', async () => {
  const instance = await startInTest({ config: { features: { jwtBearer: { iatOptional: true, jtiOptional: true } } } });
  const client = await registerClient(instance, 'bearer', metadata);
  const issuer = await createAssertionIssuer();
  await trust(instance, issuer);
  const assertion = await issuer.sign(instance.issuer, { iat: undefined, jti: undefined });
  for (const _ of [1, 2])
    expect((await token(instance, client, { grant_type: bearerGrant, assertion })).status).toBe(200);
});
