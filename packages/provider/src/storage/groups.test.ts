import { type Capabilities, kinds } from '@carnet/adapter-contract';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import { describe, expect, test } from 'vitest';
import { storesOf } from './compose.ts';
import { assertFits, groupNames, groupOf, groups } from './groups.ts';

test('every kind of record belongs to one group', () => {
  expect(groupNames.flatMap((name): readonly string[] => groups[name].kinds).toSorted()).toEqual([...kinds].toSorted());
});

test('a record of a grant is among the tokens whatever its kind', () => {
  for (const kind of kinds) expect(groupOf({ kind, grantId: 'grant' })).toBe('tokens');
});

const storeWith = (capabilities: Partial<Capabilities>) => ({
  ...openMemoryAdapter(),
  capabilities: { atomicCommit: 'all', shared: true, durable: true, neverRevives: true, ...capabilities } as const,
});
const production = { dev: false };

describe('a store is refused', () => {
  test('for what must not be forgotten, when it may forget', () => {
    const check = () => assertFits(storesOf(storeWith({ durable: false }), {}), production);
    for (const name of ['clients', 'tokens', 'replays'])
      expect(check).toThrow(`storage: the store of ${name}: it may lose`);
    expect(check).not.toThrow('the store of sessions');
  });
});

describe('a store that may bring back what was removed', () => {
  test('records other than flows are refused', () => {
    const check = () => assertFits(storesOf(storeWith({ neverRevives: false }), {}), production);
    for (const name of ['sessions', 'consents', 'clientCredentials'])
      expect(check).toThrow(`storage: the store of ${name}: removed records may come back`);
    expect(check).not.toThrow('the store of flows');
    assertFits(storesOf(storeWith({}), { flows: storeWith({ neverRevives: false, durable: false }) }), production);
  });
});

describe('a store is accepted', () => {
  test('the store forgets records that can be created again', () => {
    const forgetful = storeWith({ durable: false });
    assertFits(
      storesOf(storeWith({}), {
        sessions: forgetful,
        consents: forgetful,
        clientCredentials: forgetful,
        flows: forgetful,
      }),
      production,
    );
  });

  test('the store forgets everything, in dev mode', () => {
    assertFits(storesOf(storeWith({ durable: false }), {}), { dev: true });
  });

  test('the store is atomic for one grant', () => {
    assertFits(storesOf(storeWith({ atomicCommit: 'grant' }), {}), production);
  });
});
