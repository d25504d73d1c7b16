import type { FoundRecord, RecordKey } from '@carnet/adapter-contract';
import { describe, expect, it } from 'vitest';
import type { ClientRecord } from '../clients/client-record.ts';
import { CarnetError } from '../errors.ts';
import { randomText } from '../random.ts';
import type { AccessTokenClaims, OpenedAccessToken } from './access-token.ts';
import { createFindActiveToken } from './active-token.ts';
import { accessTokenValue, grantKey, refreshTokenValue, tokenRecord } from './token-value.ts';

const grantId = randomText(16);

const clientWith = (id: string, changes: Partial<ClientRecord> = {}) =>
  ({ id, registration: 'first', tokenRevocations: 0, metadata: {}, ...changes }) as ClientRecord;

const found = (record: object) => ({ consumedAt: null, members: [], ...record }) as unknown as FoundRecord;

const grant = found({
  ...grantKey(grantId),
  clientId: 'app',
  subject: 'alice',
  payload: JSON.stringify({
    registration: 'first',
    handledAt: 1,
    scope: 'openid',
    audience: [],
    sid: 's',
    accessToken: { tenant: 'acme' },
  }),
});

const stored = { clientId: 'app', accountId: 'alice', iat: 1000, exp: 2000, scope: 'openid' };
const opaque = accessTokenValue(grantId);
const token = found(tokenRecord(opaque, { ...stored, generation: 'first', audience: ['https://api.example'] }));

const jwtClaims = {
  client_id: 'app',
  sub: 'pseudonym',
  aud: ['https://op.example'],
  scope: 'openid',
  iat: 1000,
  nbf: 1000,
  exp: 2000,
  jti: `${grantId}.x.first`,
  ext: {},
} as unknown as OpenedAccessToken & AccessTokenClaims;

const setUp = ({
  records = [token, grant],
  clients = [clientWith('app')],
  jwts = { open: (): OpenedAccessToken | undefined => jwtClaims },
} = {}) => {
  const reads: (readonly RecordKey[])[] = [];
  const findActiveToken = createFindActiveToken({
    read: async (keys) => {
      reads.push(keys);
      return keys.map(({ kind, id }) => records.find((record) => record.kind === kind && record.id === id));
    },
    clients: { find: async (id) => clients.find((client) => client.id === id) },
    jwts,
  });
  return { findActiveToken, reads };
};

describe('an opaque access token', () => {
  it('the token is read together with its grant, which has the subject and the extra claims', async () => {
    const { findActiveToken, reads } = setUp();
    expect(await findActiveToken(opaque)).toMatchObject({
      use: 'access_token',
      subject: 'alice',
      scope: 'openid',
      audience: ['https://api.example'],
      ext: { tenant: 'acme' },
      exp: 2000,
      nbf: 1000,
    });
    expect(reads).toHaveLength(1);
  });

  it.each([
    ['its record is gone', { records: [grant] }],
    ['its grant is revoked', { records: [token] }],
    ['its client was deleted', { clients: [] }],
    ['its client was registered again under the id', { clients: [clientWith('app', { registration: 'second' })] }],
    ['the access tokens of its client were revoked', { clients: [clientWith('app', { tokenRevocations: 1 })] }],
    ['its grant belongs to a deleted client', { records: [token, { ...grant, clientId: 'other' }] }],
  ])('the token is inactive if %s', async (_, changes) => {
    expect(await setUp(changes).findActiveToken(opaque)).toBeUndefined();
  });
});

describe('a refresh token', () => {
  const value = refreshTokenValue(grantId);
  const record = found(tokenRecord(value, stored));

  it('outlives the epoch of its client, which ends access tokens only', async () => {
    const { findActiveToken } = setUp({
      records: [record, grant],
      clients: [clientWith('app', { tokenRevocations: 1 })],
    });
    expect(await findActiveToken(value)).toMatchObject({ use: 'refresh_token', subject: 'alice' });
  });

  it('the token is inactive once it was used', async () => {
    const used = { ...record, consumedAt: new Date() };
    expect(await setUp({ records: [used, grant] }).findActiveToken(value)).toBeUndefined();
  });
});

describe('a JWT access token', () => {
  it('has the subject of its grant, even if it names the subject as a pairwise client sees them', async () => {
    expect(await setUp().findActiveToken('ey...')).toMatchObject({ subject: 'alice', ext: { tenant: 'acme' } });
  });

  it('a token without a grant needs no read', async () => {
    const jwts = { open: () => ({ ...jwtClaims, sub: 'app', jti: '.x.first', ext: { tier: 1 } }) };
    const { findActiveToken, reads } = setUp({ jwts });
    expect(await findActiveToken('ey...')).toMatchObject({ subject: 'app', grant: undefined, ext: { tier: 1 } });
    expect(reads).toEqual([]);
  });

  it('a token is inactive if it has a bad signature, or belongs to an earlier epoch', async () => {
    expect(await setUp({ jwts: { open: () => undefined } }).findActiveToken('ey...')).toBeUndefined();
    const former = { open: () => ({ ...jwtClaims, jti: `${grantId}.x.zeroth` }) };
    expect(await setUp({ jwts: former }).findActiveToken('ey...')).toBeUndefined();
  });
});

it('a value of another shape is not looked up', async () => {
  const { findActiveToken, reads } = setUp();
  for (const value of ['', 'carnet_at_', 'carnet_ac_x', `${opaque}x`]) {
    expect(await findActiveToken(value)).toBeUndefined();
  }
  expect(reads).toEqual([]);
});

it('a store that does not answer is never reported as an inactive token', async () => {
  const outage = new CarnetError('storage_unavailable', 'the store does not answer');
  const findActiveToken = createFindActiveToken({
    read: async () => Promise.reject(outage),
    clients: { find: async () => undefined },
    jwts: { open: () => undefined },
  });
  await expect(findActiveToken(opaque)).rejects.toBe(outage);
});
