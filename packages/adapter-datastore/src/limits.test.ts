import { expect, test } from 'vitest';
import { assertWithinLimits } from './limits.ts';
import type { Entity, Mutation } from './wire.ts';

const key = { partitionId: { projectId: 'p', databaseId: '', namespaceId: '' }, path: [{ kind: 'k', name: 'n' }] };
const entityOf = (properties: Entity['properties']): Mutation => ({ upsert: { key, properties } });
const textOf = (bytes: number): Mutation => entityOf({ payload: { stringValue: 'x'.repeat(bytes) } });

test('an entity may have 1 MiB, its names and key included', () => {
  expect(() => assertWithinLimits([textOf(1_047_000)])).not.toThrow();
  expect(() => assertWithinLimits([textOf(1_048_000)])).toThrow('A record of 1049026 bytes');
  expect(() => assertWithinLimits([entityOf({ payload: { stringValue: 'é'.repeat(524_000) } })])).toThrow(RangeError);
});

test('members are a part of the size', () => {
  const values = Array.from({ length: 1_024 }, () => ({ stringValue: 'x'.repeat(1_020) }));
  expect(() => assertWithinLimits([entityOf({ members: { arrayValue: { values } } })])).toThrow(RangeError);
});

test('a commit may have 10 MiB', () => {
  const mutations = Array.from({ length: 10 }, () => textOf(1_000_000));
  expect(() => assertWithinLimits(mutations)).not.toThrow();
  expect(() => assertWithinLimits([...mutations, textOf(500_000)])).toThrow('10 MiB');
});
