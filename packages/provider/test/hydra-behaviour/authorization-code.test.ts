import { beforeTests } from '@carnet/test-servers/before-tests';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { introspect } from '../login.ts';
import { createClient, post, userinfo, webClient } from './clients.ts';
import { refresh, signIn, user, visit } from './journey.ts';
import { startLikeHydra, strategies } from './start.ts';

const tokenNames = ['access_token', 'id_token', 'refresh_token'];

describe.each(strategies)('the code grant as Hydra has it, %s access tokens', (access_token_strategy) => {
  const instance = beforeTests(() => startLikeHydra());

  test.each([
    [['offline_access', 'openid'], tokenNames],
    [['offline_access'], ['access_token', 'refresh_token']],
    [['openid'], ['access_token', 'id_token']],
  ])('granting the scopes %j gives %j', async (scope, expected) => {
    const client = await createClient(instance, webClient({ access_token_strategy }));
    const tokens = await signIn(instance, client, { consent: { scope } });
    expect(tokenNames.filter((name) => name in tokens)).toEqual(expected);
  });

  test('granting no scope gives access_denied: Carnet never issues a token without a scope', async () => {
    const client = await createClient(instance, webClient({ access_token_strategy }));
    const { page, query } = await visit(instance, client, { login: {}, consent: { scope: [] } });
    expect([page, query.error]).toEqual(['client', 'access_denied']);
  });

  test('skips the consent of a client that is registered so', async () => {
    const client = await createClient(instance, webClient({ access_token_strategy, skip_consent: true }));
    const tokens = await signIn(instance, client);
    expect(tokenNames.filter((name) => name in tokens)).toEqual(tokenNames);
  });

  test('names the subject and the session in the ID token', async () => {
    const client = await createClient(instance, webClient({ access_token_strategy, scope: 'openid' }));
    const tokens = await signIn(instance, client, { consent: { scope: ['openid'] } });
    expect(decodeJwt(String(tokens.id_token))).toMatchObject({ sub: user, sid: expect.any(String) });
  });

  test('gives a token for userinfo, which names subject and audience', async () => {
    const client = await createClient(instance, webClient({ access_token_strategy, scope: 'openid' }));
    const tokens = await signIn(instance, client, { consent: { scope: ['openid'] } });
    const { body } = await userinfo(instance, tokens.access_token);
    expect(body).toMatchObject({ sub: user, aud: [client.client_id] });
  });

  test.each(['access_token', 'refresh_token'])('gives an %s that introspection describes', async (name) => {
    const client = await createClient(instance, webClient({ access_token_strategy, scope: 'offline_access' }));
    const tokens = await signIn(instance, client, { consent: { scope: ['offline_access'] } });
    expect(await introspect(instance, tokens[name])).toMatchObject({
      active: true,
      sub: user,
      token_type: 'Bearer',
      token_use: name,
    });
  });

  test.each(['access_token', 'refresh_token'])('gives an %s whose revocation ends userinfo', async (name) => {
    const client = await createClient(instance, webClient({ access_token_strategy }));
    const tokens = await signIn(instance, client, { consent: { scope: ['openid', 'offline_access'] } });
    expect((await post(`${instance.issuer}/oauth2/revoke`, client, { token: String(tokens[name]) })).status).toBe(200);
    // Hydra calls this error request_unauthorized; RFC 6750, section 3.1, calls it invalid_token.
    const { status, body, headers } = await userinfo(instance, tokens.access_token);
    expect([status, body.error]).toEqual([401, 'invalid_token']);
    expect(headers.get('www-authenticate')).toContain('invalid_token');
  });

  test('gives JWTs where the client is registered for them, and refresh tokens of two parts', async () => {
    const client = await createClient(instance, webClient({ access_token_strategy, scope: 'offline_access' }));
    const first = await signIn(instance, client, { consent: { scope: ['offline_access'] } });
    const { status, body: tokens } = await refresh(instance, client, first.refresh_token);
    expect(status).toBe(200);
    expect(String(tokens.refresh_token).split('.')).toHaveLength(2);
    expect(String(tokens.access_token).split('.')).toHaveLength(access_token_strategy === 'jwt' ? 3 : 2);
    if (access_token_strategy !== 'jwt') return;
    expect(decodeJwt(String(tokens.access_token))).toMatchObject({
      sub: user,
      client_id: client.client_id,
      jti: expect.any(String),
    });
  });

  test('client credentials bring an access token, and neither refresh nor ID token', async () => {
    const client = await createClient(instance, {
      client_secret: 'a-secret-of-the-client',
      scope: 'foo openid offline_access',
      grant_types: ['client_credentials'],
      access_token_strategy,
    });
    const form = { grant_type: 'client_credentials', scope: client.scope };
    const { status, body } = await post(`${instance.issuer}/oauth2/token`, client, form);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(tokenNames.filter((name) => name in body)).toEqual(['access_token']);
  });
});
