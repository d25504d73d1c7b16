import { expect, it } from 'vitest';
import type { ClientRecord } from '../clients/client-record.ts';
import { accessTokenLifetime, lifetimeOf } from './lifetimes.ts';

const client = {
  metadata: {
    authorization_code_grant_access_token_lifespan: '10m',
    refresh_token_grant_access_token_lifespan: '1h30m',
    device_authorization_grant_refresh_token_lifespan: '0s',
  },
} as unknown as ClientRecord;

it.each([
  ['authorization_code', 'access_token', 600],
  // The last grant type of the history decides.
  ['authorization_code refresh_token', 'access_token', 5400],
  ['authorization_code', 'id_token', 42],
  // A lifetime of zero is none.
  ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token', 42],
  ['urn:ietf:params:oauth:grant-type:token-exchange', 'access_token', 42],
  [undefined, 'access_token', 42],
] as const)('%s: the %s lives %i seconds', (gty, token, seconds) => {
  expect(lifetimeOf(client, gty, token, 42)).toBe(seconds);
});

it('an access token lives as long as its resource demands, whatever the client registered', () => {
  const token = { client, gty: 'authorization_code' };
  expect(accessTokenLifetime({ ...token, resource: { accessTokenTtl: 60 } }, { accessToken: 42 })).toBe(60);
  expect(accessTokenLifetime({ ...token, resource: {} }, { accessToken: 42 })).toBe(600);
});
