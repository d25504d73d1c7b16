import { describe, expect, it } from 'vitest';
import { recordId } from '../storage/record-id.ts';
import {
  accessTokenValue,
  authRequestIdValue,
  deviceCodeValue,
  grantKey,
  refreshTokenValue,
  successorValue,
  tokenKeys,
} from './token-value.ts';

const grantId = 'abcdefghijklmnopqrst_-';
const secret = 'S'.repeat(43);

describe('the keys of a token value', () => {
  it.each([
    ['an access token of a grant', accessTokenValue(grantId), 'access_token'],
    ['a refresh token', refreshTokenValue(grantId), 'refresh_token'],
  ])('name the record and the grant of %s', (_what, value, kind) => {
    expect(tokenKeys(value)).toEqual({
      kind,
      token: { kind, id: recordId(value), grantId },
      grant: { kind: 'grant', id: recordId(grantId), grantId },
    });
  });

  it('name no grant for a token of client_credentials', () => {
    const value = accessTokenValue(undefined);
    expect(tokenKeys(value)).toEqual({
      kind: 'client_credentials',
      token: { kind: 'client_credentials', id: recordId(value) },
    });
  });

  it.each([
    '',
    'carnet_at_',
    `carnet_at_${grantId}`,
    `carnet_at_${grantId}.${secret}x`,
    `carnet_at_${grantId}.${secret.slice(1)}`,
    `carnet_at_${grantId}x.${secret}`,
    `carnet_at_${grantId}.${secret}\n`,
    ` carnet_at_${grantId}.${secret}`,
    `carnet_rt_${secret}`,
    `CARNET_AT_${secret}`,
    `carnet_at_${secret.slice(1)}+`,
    `carnet_ac_${secret}`,
    deviceCodeValue(),
    authRequestIdValue(),
  ])('are undefined for %j, so that the store is not read', (value) => {
    expect(tokenKeys(value)).toBeUndefined();
  });

  it('hold the hash of the value, never the value', () => {
    const value = accessTokenValue(grantId);
    expect(JSON.stringify(tokenKeys(value)?.token)).not.toContain(value.split('.')[1]);
    expect(grantKey(grantId).id).toMatch(/^[\w-]{43}$/);
  });
});

describe('new values', () => {
  it.each([
    ['access token', () => accessTokenValue(grantId)],
    ['access token of client_credentials', () => accessTokenValue(undefined)],
    ['refresh token', () => refreshTokenValue(grantId)],
    ['device code', deviceCodeValue],
    ['auth_req_id', authRequestIdValue],
  ])('of an %s differ each time and hold 256 random bits', (_what, make) => {
    const values = Array.from({ length: 100 }, make);
    expect(new Set(values).size).toBe(100);
    for (const value of values) expect(value.slice(-43)).toMatch(/^[\w-]{43}$/);
  });
});

describe('the successor of a refresh token', () => {
  const keyRing = {
    mac: (...parts: readonly unknown[]) => recordId(JSON.stringify(parts)),
  };
  const value = refreshTokenValue(grantId, secret);

  it('each use of the predecessor gives the same successor, which belongs to its grant', () => {
    const first = successorValue({ grantId, value, secretName: 'a' }, keyRing);
    expect(successorValue({ grantId, value, secretName: 'a' }, keyRing)).toBe(first);
    expect(tokenKeys(first)).toMatchObject({ kind: 'refresh_token', grant: grantKey(grantId) });
  });

  it('depends on the predecessor and on the named secret', () => {
    const other = refreshTokenValue(grantId);
    const successors = [
      successorValue({ grantId, value }, keyRing),
      successorValue({ grantId, value, secretName: 'a' }, keyRing),
      successorValue({ grantId, value: other, secretName: 'a' }, keyRing),
    ];
    expect(new Set([value, ...successors]).size).toBe(4);
  });
});
