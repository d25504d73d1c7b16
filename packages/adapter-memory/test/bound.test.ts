import { bindAdapter } from '@carnet/adapter-contract';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import { afterAll, describe, expect, test } from 'vitest';
import { openingBound, testLaws } from '../../adapter-contract/test/laws.ts';

const open = openingBound(async () => openMemoryAdapter());
const store = await open();
afterAll(() => store.close());

describe('the memory adapter of one issuer keeps the laws of the storage port', () => {
  testLaws({ store, open });
});

describe('the names of issuers', () => {
  test.for(['acme', 'a', '0', 'a-b', 'n'.repeat(63)])('include %s', (name) => {
    expect(() => bindAdapter(store, name)).not.toThrow();
  });

  test.for(['', '~', 'a~', 'Acme', 'a_b', '-a', 'a-', 'a.b', 'n'.repeat(64), 'a\n', 'ä'])('exclude %j', (name) => {
    expect(() => bindAdapter(store, name)).toThrow(RangeError);
  });
});

describe('the store of the first issuer', () => {
  const first = bindAdapter(openMemoryAdapter(), undefined);
  const payload = { payload: '{}', expiresAt: null };

  test.for([
    { type: 'put', record: { kind: 'client', id: '~shop~id', ...payload } },
    { type: 'claim', record: { kind: 'session', id: 'id', grantId: '~shop~grant', ...payload } },
    { type: 'remove', key: { kind: 'client', id: '~shop~id' } },
    { type: 'revoke', grantId: '~shop~grant' },
  ] as const)('refuses a $type under an id of another issuer', async (write) => {
    await expect(first.commit([write])).rejects.toThrow(RangeError);
  });

  test('has nothing under an id of another issuer', async () => {
    expect(await first.read([{ kind: 'client', id: '~shop~id' }])).toEqual([undefined]);
  });

  test('stays open for the others when one is closed', async () => {
    const shared = openMemoryAdapter();
    const [acme, shop] = [bindAdapter(shared, 'acme'), bindAdapter(shared, 'shop')];
    await acme.close();
    await expect(acme.ping()).rejects.toThrow('closed');
    await expect(shop.ping()).resolves.toBeUndefined();
  });
});
