import type { TokenExchangeAnswer, TokenExchangeRequest } from '@carnet/provider';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAssertionIssuer, trust } from '../assertions.ts';
import { registerBeforeTests, startInTest } from '../before-tests.ts';
import { postForm, refusal, userinfo } from '../call.ts';
import { basicOf, registerClient, type TestClient } from '../clients.ts';
import { start } from '../harness.ts';
import { secretsIn } from '../leaks.ts';
import { credentialsFor, introspect, type Json, login, token } from '../login.ts';
import { connect } from '../relying-party.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange';
const type = (name: string) => `urn:ietf:params:oauth:token-type:${name}`;
const api = 'https://api.test';

describe('token exchange (RFC 8693)', () => {
  const instance = beforeTests(() =>
    start({
      config: { features: { tokenExchange: { enabled: true } } },
      hooks: { tokenExchange: (request) => policy(request) },
    }),
  );
  const app = registerBeforeTests(instance, 'app', { audience: ['service'] });
  const service = registerBeforeTests(instance, 'service', {
    grant_types: [grantType, 'client_credentials'],
    scope: 'profile offline_access read openid',
    audience: [api],
  });
  let policy: (request: TokenExchangeRequest) => TokenExchangeAnswer;

  beforeEach(() => {
    policy = () => undefined;
  });
  afterEach(() => expect(secretsIn(instance.log())).toEqual([]));

  const exchange = (params: Readonly<Record<string, unknown>>, by = service) =>
    token(instance, by, {
      grant_type: grantType,
      subject_token_type: type('access_token'),
      ...(params as Record<string, string>),
    });
  /** A login at `app` whose access token is for `service`. */
  const forService = (): Promise<Json> =>
    login(instance, app, {
      params: { audience: 'service' },
      consent: { grant_access_token_audience: ['service'], session: { access_token: { tier: 'gold' } } },
    });
  const revoke = async (client: TestClient, value: unknown) =>
    (await postForm(`${instance.issuer}/oauth2/revoke`, { token: String(value) }, basicOf(client))).status;
  const isActive = async (value: unknown) => (await introspect(instance, value)).active;

  test('gives the service a token of its own: no more scope, no longer a life, for whom it asks', async () => {
    const { access_token } = await forService();
    const { status, body } = await exchange({ subject_token: access_token, audience: api });
    expect([status, body.issued_token_type, body.token_type]).toEqual([200, type('access_token'), 'Bearer']);
    expect(body).not.toHaveProperty('refresh_token');
    const before = await introspect(instance, access_token);
    const after = await introspect(instance, body.access_token);
    const own = { client_id: 'service', aud: [api], ext: { tier: 'gold' } };
    expect(after).toMatchObject({ active: true, sub: 'alice', ...own });
    expect(new Set(String(after.scope).split(' '))).toEqual(new Set(['openid', 'offline_access', 'profile']));
    expect(Number(after.exp)).toBeLessThanOrEqual(Number(before.exp));
    const narrower = await exchange({ subject_token: access_token, scope: 'profile' });
    expect(narrower.body.scope).toBe('profile');
  });

  test('names the actor in `act`, in opaque tokens and JWTs, and keeps the chain', async () => {
    const { access_token } = await forService();
    const actor = (await credentialsFor(instance, service)).body.access_token;
    const actors = { actor_token: actor, actor_token_type: type('access_token') };
    const { body } = await exchange({ subject_token: access_token, ...actors, audience: api });
    expect((await introspect(instance, body.access_token)).act).toEqual({ sub: 'service' });
    const jwt = await registerClient(instance, 'jwt-service', {
      grant_types: [grantType, 'client_credentials'],
      scope: 'profile',
      access_token_strategy: 'jwt',
    });
    policy = () => ({ scopes: ['profile'] });
    const own = (await credentialsFor(instance, jwt)).body.access_token;
    const acting = { actor_token: own, actor_token_type: type('jwt'), requested_token_type: type('jwt') };
    const second = await exchange({ subject_token: body.access_token, ...acting }, jwt);
    expect(second.body.issued_token_type).toBe(type('jwt'));
    const act = { sub: 'jwt-service', act: { sub: 'service' } };
    expect(decodeJwt(String(second.body.access_token))).toMatchObject({ sub: 'alice', act });
    expect(await introspect(instance, second.body.access_token)).toMatchObject({ active: true, act });
    expect(await revoke(jwt, second.body.access_token)).toBe(400);
    expect(await isActive(access_token)).toBe(true);
  });

  test('gives tokens that die with the grant of the one they were given for', async () => {
    const { access_token, refresh_token } = await forService();
    const { body } = await exchange({ subject_token: access_token });
    expect(await isActive(body.access_token)).toBe(true);
    await revoke(app, refresh_token);
    expect(await isActive(body.access_token)).toBe(false);
  });

  test('gives tokens whose revocation ends them alone, and that are no key to userinfo', async () => {
    const { access_token } = await forService();
    const { body } = await exchange({ subject_token: access_token });
    expect((await userinfo(instance, body.access_token)).status).toBe(401);
    expect(await revoke(service, body.access_token)).toBe(200);
    expect([await isActive(body.access_token), await isActive(access_token)]).toEqual([false, true]);
  });

  test('takes assertions of trusted issuers, once, and whom they say may act', async () => {
    const issuer = await createAssertionIssuer('https://partner.test');
    await trust(instance, issuer);
    const assertion = await issuer.sign(instance.issuer, { exp: Math.floor(Date.now() / 1000) + 50 });
    const params = { subject_token: assertion, subject_token_type: type('jwt'), scope: 'read' };
    const { body } = await exchange(params);
    expect(Number(body.expires_in)).toBeLessThanOrEqual(50);
    expect(await introspect(instance, body.access_token)).toMatchObject({ sub: 'alice', scope: 'read' });
    expect((await exchange(params)).status).toBe(400);
    const bound = () => issuer.sign(instance.issuer, { may_act: { sub: 'somebody' } });
    const actor = (await credentialsFor(instance, service)).body.access_token;
    const acting = { actor_token: actor, actor_token_type: type('access_token') };
    expect((await exchange({ ...params, subject_token: await bound() })).body.error).toBe('invalid_request');
    expect((await exchange({ ...params, ...acting, subject_token: await bound() })).body.error).toBe('invalid_request');
    const right = await issuer.sign(instance.issuer, { may_act: { sub: 'service' } });
    expect((await exchange({ ...params, ...acting, subject_token: right })).status).toBe(200);
  });

  test('takes ID tokens of the client itself, for no scope but what the hook gives', async () => {
    const both = await registerClient(instance, 'both', {
      grant_types: ['authorization_code', 'refresh_token', grantType],
    });
    const { id_token } = await login(instance, both);
    const params = { subject_token: id_token, subject_token_type: type('id_token') };
    expect((await exchange(params, both)).body).not.toHaveProperty('scope');
    expect((await exchange({ ...params, scope: 'profile' }, both)).body.error).toBe('invalid_scope');
    expect((await exchange(params)).body.error).toBe('invalid_request');
    policy = () => ({ scopes: ['profile'] });
    expect((await exchange(params, both)).body.scope).toBe('profile');
  });

  test('asks the hook, which may deny, and allow what was not issued for the client', async () => {
    const { access_token } = await login(instance, app);
    expect((await exchange({ subject_token: access_token })).body.error).toBe('invalid_request');
    const seen: TokenExchangeRequest[] = [];
    policy = (request) => {
      seen.push(request);
      return { scopes: ['read'] };
    };
    expect((await exchange({ subject_token: access_token, scope: 'profile' })).body.scope).toBe('read');
    expect(seen[0]).toMatchObject({
      clientId: 'service',
      subject: { subject: 'alice', clientId: 'app' },
      scopes: ['profile'],
    });
    policy = () => ({ scopes: ['never registered'] });
    expect((await exchange({ subject_token: access_token })).body.error).toBe('invalid_scope');
    policy = () => ({ denied: true });
    expect((await exchange({ subject_token: access_token })).body.error).toBe('access_denied');
  });

  test.each<[string, Json, string?]>([
    ['an access token as ID token', { subject_token_type: type('id_token') }],
    ['a type that is not supported', { subject_token_type: type('saml2') }],
    ['an actor token without its type', { actor_token: 'the same' }],
    ['an actor type without its token', { actor_token_type: type('jwt') }],
    ['a wish for a refresh token', { requested_token_type: type('refresh_token') }],
    ['more scope than it had', { scope: 'read' }, 'invalid_scope'],
    ['an audience that is not registered', { audience: 'https://x.test' }, 'invalid_target'],
  ])('refuses %s', async (_what, params, error = 'invalid_request') => {
    const { access_token: subject_token } = await forService();
    const actor = params.actor_token === undefined ? {} : { actor_token: subject_token };
    expect(await exchange({ subject_token, ...params, ...actor })).toMatchObject(refusal(error));
  });

  test('refuses no subject token, one that is none, a refresh token, and an ID token that is said to be another', async () => {
    const { refresh_token, id_token } = await forService();
    for (const params of [{}, ...['x', refresh_token, id_token].map((subject_token) => ({ subject_token }))])
      expect(await exchange(params)).toMatchObject(refusal('invalid_request'));
  });

  test('token exchange requires a confidential client that is registered for it', async () => {
    const { access_token } = await forService();
    expect((await exchange({ subject_token: access_token }, app)).body.error).toBe('unauthorized_client');
    const open = await registerClient(instance, 'open', {
      grant_types: [grantType],
      token_endpoint_auth_method: 'none',
    });
    expect((await exchange({ subject_token: access_token }, open)).body.error).toBe('invalid_request');
  });

  test('works with openid-client', async () => {
    const { access_token } = await forService();
    const config = await connect(instance, service);
    const tokens = await oidc.genericGrantRequest(config, grantType, {
      subject_token: String(access_token),
      subject_token_type: type('access_token'),
    });
    expect(tokens.issued_token_type).toBe(type('access_token'));
    expect(config.serverMetadata().grant_types_supported).toContain(grantType);
  });
});

test('token exchange is off by default', async () => {
  const instance = await startInTest();
  const client = await registerClient(instance, 'service', { grant_types: [grantType] });
  expect((await token(instance, client, { grant_type: grantType })).body.error).toBe('unsupported_grant_type');
});
