import { openMemoryAdapter } from '@carnet/adapter-memory';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { decodeJwt } from 'jose';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { bearerGrant, createAssertionIssuer, trust } from '../assertions.ts';
import { registerBeforeTests, startInTest } from '../before-tests.ts';
import { refusal, userinfo } from '../call.ts';
import { registerClient } from '../clients.ts';
import { start } from '../harness.ts';
import { startHookServer } from '../hook-server.ts';
import { secretsIn } from '../leaks.ts';
import { codeFor, credentialsFor, introspect, login, redeem, refresh, token } from '../login.ts';

const consent = { session: { access_token: { tier: 'gold', role: 'user' }, id_token: { name: 'Alice' } } };
const replaced = { session: { access_token: { tier: 'iron' }, id_token: { name: 'Bob', sub: 'mallory', iss: 'x' } } };

describe('token hooks asked by HTTP', () => {
  const server = beforeTests(() => startHookServer());
  const auth = { name: 'X-Api-Key', value: 'key of the hook' };
  const instance = beforeTests(() =>
    start({ config: { hooks: { token: { url: server.url, auth }, timeoutMs: 3_000 } } }),
  );
  const client = registerBeforeTests(instance, 'hooked');
  beforeEach(() => {
    server.calls.length = 0;
    server.say({ status: 204 });
  });
  afterEach(() => {
    expect(secretsIn(instance.log())).toEqual([]);
    expect(instance.log()).not.toContain('key of the hook');
  });
  const codeOf = () => codeFor(instance, client, { consent });

  test('are told what Hydra tells, and keep the claims with 204', async () => {
    const { access_token, id_token } = (await redeem(instance, client, await codeOf())).body;
    expect(server.calls).toHaveLength(1);
    const [call] = server.calls;
    expect(call?.headers).toMatchObject({
      'x-api-key': 'key of the hook',
      'content-type': expect.stringContaining('json'),
    });
    expect(call?.body).toMatchObject({
      session: {
        id_token: {
          id_token_claims: { iss: instance.issuer, sub: 'alice', aud: ['hooked'], ext: { name: 'Alice' } },
          headers: { extra: {} },
          username: '',
          subject: 'alice',
        },
        extra: { tier: 'gold', role: 'user' },
        client_id: 'hooked',
        consent_challenge: '',
        exclude_not_before_claim: false,
        allowed_top_level_claims: [],
        mirror_top_level_claims: true,
      },
      request: {
        client_id: 'hooked',
        client: { client_id: 'hooked', scope: 'openid offline_access profile email' },
        granted_scopes: ['openid', 'offline_access', 'profile'],
        granted_audience: [],
        grant_types: ['authorization_code'],
        payload: { grant_type: ['authorization_code'] },
      },
    });
    const text = JSON.stringify(call?.body);
    for (const secret of ['carnet_ac_', 'code_verifier', client.secret ?? '-']) expect(text).not.toContain(secret);
    expect((await introspect(instance, access_token)).ext).toEqual({ tier: 'gold', role: 'user' });
    expect(decodeJwt(String(id_token)).name).toBe('Alice');
  });

  test('replace the claims with 200, for introspection, the ID token, userinfo and the next refresh', async () => {
    server.say({ status: 200, body: replaced });
    const first = (await redeem(instance, client, await codeOf())).body;
    expect((await introspect(instance, first.access_token)).ext).toEqual({ tier: 'iron' });
    expect(decodeJwt(String(first.id_token))).toMatchObject({ name: 'Bob', sub: 'alice', iss: instance.issuer });
    expect((await userinfo(instance, first.access_token)).body).toMatchObject({ name: 'Bob', sub: 'alice' });
    server.say({ status: 204 });
    const second = (await refresh(instance, client, first.refresh_token)).body;
    expect(server.calls[1]?.body).toMatchObject({
      session: { extra: { tier: 'iron' }, id_token: { id_token_claims: { ext: { name: 'Bob' } } } },
      request: { grant_types: ['refresh_token'] },
    });
    expect((await introspect(instance, second.access_token)).ext).toEqual({ tier: 'iron' });
    expect(decodeJwt(String(second.id_token)).name).toBe('Bob');
  });

  test('replace the claims of tokens without a person, opaque and JWT', async () => {
    server.say({ status: 200, body: replaced });
    const jwt = await registerClient(instance, 'hooked-jwt', { access_token_strategy: 'jwt' });
    for (const one of [client, jwt]) {
      const { body } = await credentialsFor(instance, one);
      expect((await introspect(instance, body.access_token)).ext).toEqual({ tier: 'iron' });
    }
    const grantTypes = server.calls.map(({ body }) => (body.request as { grant_types: unknown }).grant_types);
    expect(grantTypes).toEqual([['client_credentials'], ['client_credentials']]);
  });

  test('are told the assertion of a JWT bearer grant', async () => {
    const bearer = await registerClient(instance, 'hooked-bearer', { grant_types: [bearerGrant], scope: 'read' });
    const issuer = await createAssertionIssuer();
    await trust(instance, issuer);
    const assertion = await issuer.sign(instance.issuer);
    await token(instance, bearer, { grant_type: bearerGrant, assertion, scope: 'read' });
    expect(server.calls[0]?.body).toMatchObject({
      session: { id_token: { subject: 'alice' } },
      request: { grant_types: [bearerGrant], payload: { assertion: [assertion], scope: ['read'] } },
    });
  });

  test('deny with 403, and nothing is used up', async () => {
    server.say({ status: 403 });
    const code = await codeOf();
    expect(await redeem(instance, client, code)).toMatchObject(refusal('access_denied', 403));
    server.say({ status: 204 });
    expect((await redeem(instance, client, code)).status).toBe(200);
  });

  test.each([
    ['answers 500', { status: 500, body: '' }, 503, 'temporarily_unavailable'],
    ['does not answer in time', { status: 200, hangs: true as const }, 503, 'temporarily_unavailable'],
    ['answers 404', { status: 404 }, 500, 'server_error'],
    ['answers a redirect', { status: 302 }, 500, 'server_error'],
    ['answers 200 without JSON', { status: 200, body: 'nothing' }, 500, 'server_error'],
    ['answers 200 with claims that are none', { status: 200, body: { session: { id_token: 7 } } }, 500, 'server_error'],
  ])(
    'that %s fail clearly, and a retry with the same code or refresh token works',
    async (_what, answer, status, error) => {
      const code = await codeOf();
      server.say(answer);
      const failed = await redeem(instance, client, code);
      expect([failed.status, failed.body.error]).toEqual([status, error]);
      expect(failed.headers.has('retry-after')).toBe(status === 503);
      server.say({ status: 204 });
      const { status: retried, body } = await redeem(instance, client, code);
      expect(retried).toBe(200);
      server.say(answer);
      expect((await refresh(instance, client, body.refresh_token)).status).toBe(status);
      server.say({ status: 204 });
      expect((await refresh(instance, client, body.refresh_token)).status).toBe(200);
    },
  );
});

describe('hooks of the program itself', () => {
  test('are asked at refresh first for refreshing, then for tokens, each told what the one before has made of it', async () => {
    const seen: unknown[] = [];
    const adapter = openMemoryAdapter();
    const instance = await startInTest({
      adapter,
      hooks: {
        refreshToken: ({ client, subject, grantType, grantedScopes }) => {
          seen.push(['refresh', subject, client.client_id, grantedScopes, grantType]);
          return { claims: { accessToken: { step: 1 } } };
        },
        token: async ({ grantType, claims }) => {
          seen.push(['token', grantType, claims.accessToken]);
          return undefined;
        },
      },
    });
    const client = await registerClient(instance, 'mine');
    const tokens = await login(instance, client, { consent });
    const next = (await refresh(instance, client, tokens.refresh_token)).body;
    expect(seen).toEqual([
      ['token', 'authorization_code', consent.session.access_token],
      ['refresh', 'alice', 'mine', ['openid', 'offline_access', 'profile'], 'refresh_token'],
      ['token', 'refresh_token', { step: 1 }],
    ]);
    expect((await introspect(instance, next.access_token)).ext).toEqual({ step: 1 });
  });

  test('that throw are hooks that failed; those that deny, deny', async () => {
    let answer: () => undefined | { denied: true } = () => {
      throw new Error('out of order');
    };
    const instance = await startInTest({ hooks: { token: () => answer() } });
    const client = await registerClient(instance, 'mine');
    const failed = await credentialsFor(instance, client);
    expect(failed).toMatchObject(refusal('server_error', 500));
    expect(JSON.stringify(failed.body)).not.toContain('out of order');
    answer = () => ({ denied: true });
    expect((await credentialsFor(instance, client)).body.error).toBe('access_denied');
  });
});

test('a hook at an address that outbound requests may not go to is refused', async () => {
  const hook = await startHookServer();
  onTestFinished(hook.stop);
  const url = hook.url.replace('127.0.0.1', '10.0.0.1');
  const instance = await startInTest({ config: { hooks: { token: { url } } } });
  const client = await registerClient(instance, 'app');
  expect((await credentialsFor(instance, client)).status).toBe(503);
  // Rounded, as the durations of requests are.
  expect(instance.log()).toMatch(/"result":"\w+","durationMs":\d+(?:\.\d)?\}/);
});
