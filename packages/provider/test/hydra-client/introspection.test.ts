import { beforeAll, describe, expect, test } from 'vitest';
import { startBeforeTests } from '../before-tests.ts';
import { registerClient } from '../clients.ts';
import { credentialsFor, login } from '../login.ts';
import { createSdk, membersOf, unknownMembers } from './sdk.ts';

describe('@ory/hydra-client introspects', () => {
  const instance = startBeforeTests();
  let sdk: ReturnType<typeof createSdk>;

  beforeAll(async () => {
    sdk = createSdk(instance);
  });

  const introspected = async (value: unknown, scope?: string) => {
    const { data } = await sdk.oauth2.introspectOAuth2Token({ token: String(value), scope });
    expect(unknownMembers('IntrospectedOAuth2Token', data)).toEqual([]);
    return data;
  };

  test.each(['opaque', 'jwt'])('a login’s %s access token, and its refresh token', async (access_token_strategy) => {
    const audience = 'https://api.test';
    const metadata = { access_token_strategy, audience: [audience] };
    const client = await registerClient(instance, `introspected-${access_token_strategy}`, metadata);
    const consent = { grant_access_token_audience: [audience], session: { access_token: { tenant: 'acme' } } };
    const tokens = await login(instance, client, { params: { audience }, consent });
    const about = {
      active: true,
      scope: 'openid offline_access profile',
      client_id: client.id,
      sub: 'alice',
      iss: instance.issuer,
      token_type: 'Bearer',
      exp: expect.any(Number),
      iat: expect.any(Number),
      nbf: expect.any(Number),
      ext: { tenant: 'acme' },
      aud: [audience],
    };
    const accessToken = await introspected(tokens.access_token);
    expect(accessToken).toEqual({ ...about, token_use: 'access_token' });
    expect(Number(accessToken.exp) - Number(accessToken.iat)).toBe(3600);
    expect(await introspected(tokens.refresh_token)).toEqual({ ...about, token_use: 'refresh_token' });
  });

  test('a token of a client itself', async () => {
    const client = await registerClient(instance, 'itself');
    const { body } = await credentialsFor(instance, client, { scope: 'email' });
    const shown = await introspected(body.access_token);
    expect(shown).toMatchObject({ active: true, sub: 'itself', client_id: 'itself', scope: 'email', aud: [] });
    expect(shown).not.toHaveProperty('ext');
  });

  test('a token with the scopes it has to have: active only with all of them', async () => {
    const client = await registerClient(instance, 'scoped');
    const { body } = await credentialsFor(instance, client, { scope: 'email profile' });
    expect((await introspected(body.access_token, 'profile')).active).toBe(true);
    expect(await introspected(body.access_token, 'profile admin')).toEqual({ active: false });
  });

  test.each(['made-up', 'carnet_at_made-up', `carnet_at_${'a'.repeat(43)}`, 'eyJhbGciOiJub25lIn0.e30.', 'ü'])(
    '%s as exactly {"active":false}',
    async (value) => {
      expect(await introspected(value)).toEqual({ active: false });
    },
  );

  test('the members of the models were read from the SDK', () => {
    expect(membersOf('OAuth2RedirectTo')).toEqual(new Set(['redirect_to']));
    expect(membersOf('OAuth2LoginRequest').size).toBe(9);
    expect(unknownMembers('IntrospectedOAuth2Token', { active: true, jti: 'x' })).toEqual(['jti']);
  });
});
