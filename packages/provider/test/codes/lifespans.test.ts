import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { startBeforeTests } from '../before-tests.ts';
import { registerClient } from '../clients.ts';
import { credentialsFor, introspect, type Json, login, refresh } from '../login.ts';

const secondsOf = (claims: { exp?: number; iat?: number }): number => (claims.exp ?? 0) - (claims.iat ?? 0);

describe('lifespans', () => {
  const instance = startBeforeTests({ config: { ttl: { accessToken: '50m', refreshToken: '50h', idToken: '55m' } } });

  describe.each(['opaque', 'jwt'])('of a client with %s access tokens', (access_token_strategy) => {
    const remaining = async (value: unknown) => secondsOf(await introspect(instance, value));
    /** Of the access token as the answer says and as introspection does, of the ID token, and of the refresh token. */
    const livesOf = async (tokens: Json) => [
      tokens.expires_in,
      await remaining(tokens.access_token),
      secondsOf(decodeJwt(String(tokens.id_token))),
      await remaining(tokens.refresh_token),
    ];

    test('are its own where it has them', async () => {
      const client = await registerClient(instance, `lifespans-${access_token_strategy}`, {
        access_token_strategy,
        authorization_code_grant_access_token_lifespan: '10m',
        authorization_code_grant_id_token_lifespan: '11m',
        authorization_code_grant_refresh_token_lifespan: '1h30m',
        refresh_token_grant_access_token_lifespan: '20m',
        refresh_token_grant_id_token_lifespan: '21m',
        refresh_token_grant_refresh_token_lifespan: '2h',
        client_credentials_grant_access_token_lifespan: '90s',
      });
      const first = await login(instance, client);
      expect(await livesOf(first)).toEqual([600, 600, 660, 5400]);
      const { body: second } = await refresh(instance, client, first.refresh_token);
      expect(await livesOf(second)).toEqual([1200, 1200, 1260, 7200]);
      const { body: own } = await credentialsFor(instance, client);
      expect([own.expires_in, await remaining(own.access_token)]).toEqual([90, 90]);
    });

    test('are the configured ones where it has none', async () => {
      const client = await registerClient(instance, `no-lifespans-${access_token_strategy}`, { access_token_strategy });
      expect(await livesOf(await login(instance, client))).toEqual([3000, 3000, 3300, 180_000]);
      expect((await credentialsFor(instance, client)).body.expires_in).toBe(3000);
    });
  });
});
