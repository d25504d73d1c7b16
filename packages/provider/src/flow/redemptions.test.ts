import { openMemoryAdapter } from '@carnet/adapter-memory';
import { expect, test } from 'vitest';
import { createRedemptions } from './redemptions.ts';

const now = () => Date.UTC(2026, 6, 1, 12);
const ttl = { loginConsentRequest: 1_800, authCode: 600, deviceUserCode: 600 };
const redemptions = createRedemptions({ ttl, now });

test('a mark outlives two steps played again at their last second, and the code that comes of it', () => {
  const { expiresAt } = redemptions.record('a-grant', 'app');
  expect(Number(expiresAt) - now()).toBeGreaterThanOrEqual((1_830 + 1_830 + 630) * 1000);
});

test('a mark outlives the code of a device, however long that is good', () => {
  const days = createRedemptions({ ttl: { ...ttl, deviceUserCode: 3 * 86_400 }, now });
  expect(Number(days.record('a-grant', 'tv').expiresAt) - now()).toBeGreaterThanOrEqual(3 * 86_400_000);
});

test('a grant is marked once, however often it is revoked', async () => {
  const adapter = openMemoryAdapter({ now });
  const claim = { type: 'claim', record: redemptions.record('a-grant', 'app') } as const;
  const token = {
    kind: 'access_token',
    id: 'x'.repeat(43),
    grantId: 'a-grant',
    payload: '{}',
    expiresAt: null,
  } as const;
  expect(await adapter.commit([claim, { type: 'put', record: token }])).toBeUndefined();
  for (let i = 0; i < 3; i++) {
    expect(await adapter.commit(redemptions.revocation('a-grant'))).toBeUndefined();
    expect(await adapter.commit([claim])).toMatchObject({ reason: 'exists' });
    expect(await adapter.read([token])).toEqual([undefined]);
  }
});

test('the mark of a grant that was revoked before its code was redeemed is there as well', async () => {
  const adapter = openMemoryAdapter({ now });
  await adapter.commit(redemptions.revocation('a-grant'));
  const claim = { type: 'claim', record: redemptions.record('a-grant', 'app') } as const;
  expect(await adapter.commit([claim])).toMatchObject({ reason: 'exists' });
  expect(await adapter.commit([{ ...claim, record: redemptions.record('another-grant') }])).toBeUndefined();
});
