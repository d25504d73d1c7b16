import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { startBeforeTests } from '../before-tests.ts';
import { registerClient } from '../clients.ts';
import { introspect, type Json, login, refresh, token } from '../login.ts';

const secondsOf = (claims: { exp?: number; iat?: number }): number => (claims.exp ?? 0) - (claims.iat ?? 0);
const idTokenLife = (tokens: Json): number => secondsOf(decodeJwt(String(tokens.id_token)));

describe('lifespans', () => {
  const instance = startBeforeTests({ config: { ttl: { accessToken: '50m', refreshToken: '50h', idToken: '55m' } } });

  describe.each(['opaque', 'jwt'])('of a client with %s access tokens', (access_token_strategy) => {
    const remaining = async (value: unknown) => secondsOf(await introspect(instance, value));

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
      expect(first.expires_in).toBe(600);
      expect(await remaining(first.access_token)).toBe(600);
      expect(idTokenLife(first)).toBe(660);
      expect(await remaining(first.refresh_token)).toBe(5400);
      const { body: second } = await refresh(instance, client, first.refresh_token);
      expect(second.expires_in).toBe(1200);
      expect(await remaining(second.access_token)).toBe(1200);
      expect(idTokenLife(second)).toBe(1260);
      expect(await remaining(second.refresh_token)).toBe(7200);
      const { body: own } = await token(instance, client, { grant_type: 'client_credentials' });
      expect([own.expires_in, await remaining(own.access_token)]).toEqual([90, 90]);
    });

    test('are the configured ones where it has none', async () => {
      const client = await registerClient(instance, `no-lifespans-${access_token_strategy}`, { access_token_strategy });
      const first = await login(instance, client);
      expect([first.expires_in, await remaining(first.access_token)]).toEqual([3000, 3000]);
      expect(idTokenLife(first)).toBe(3300);
      expect(await remaining(first.refresh_token)).toBe(180_000);
      const { body: own } = await token(instance, client, { grant_type: 'client_credentials' });
      expect(own.expires_in).toBe(3000);
    });
  });
});
