import { kinds } from '@carnet/adapter-contract';
import { expect, test } from 'vitest';
import { groupNames, groupOf, groups } from './groups.ts';

test('every kind of record belongs to one group', () => {
  expect(groupNames.flatMap((name): readonly string[] => groups[name].kinds).toSorted()).toEqual([...kinds].toSorted());
});

test('a record of a grant is among the tokens whatever its kind', () => {
  for (const kind of kinds) expect(groupOf({ kind, grantId: 'grant' })).toBe('tokens');
});
