import type { StoredRecord } from '@carnet/adapter-contract';
import { type Folded, foldWrites } from '@carnet/adapter-contract/sql';
import { expect, test } from 'vitest';
import { prepareCommit } from './commit-values.ts';

const record: StoredRecord = { kind: 'grant', id: 'id', grantId: 'grant', payload: '{}', expiresAt: null };

test('each part of a commit changes rows of its own: a revocation spares what is put after it', () => {
  const folded = foldWrites(
    [
      { type: 'revoke', grantId: 'grant' },
      { type: 'put', record },
    ],
    0,
  ) as Folded;
  const { name, values } = prepareCommit(folded, 0);
  expect(name).toMatch(/^carnet_inserted_revoked_\w{8}$/);
  expect(values.slice(-2)).toEqual([['grant'], ['grant:id']]);
});

test('what a revocation takes needs no part of its own', () => {
  const folded = foldWrites(
    [
      { type: 'put', record },
      { type: 'revoke', grantId: 'grant' },
    ],
    0,
  ) as Folded;
  expect(prepareCommit(folded, 0).name).toMatch(/^carnet_revoked_\w{8}$/);
});

test('two commits take the rows they share in the same order', () => {
  const writes = ['b', 'a', 'c'].map((id) => ({ type: 'put', record: { ...record, id } }) as const);
  const idsOf = (folded: Folded) => prepareCommit(folded, 0).values[4];
  expect(idsOf(foldWrites(writes, 0) as Folded)).toEqual(['a', 'b', 'c']);
});

test('members may hold what an array is written with', () => {
  const key = { kind: 'grant', id: 'id' } as const;
  const members = ['a,b', '{', '"', '\\', '', 'null'];
  const folded = foldWrites([{ type: 'merge', key, members }], 0) as Folded;
  expect(prepareCommit(folded, 0).values).toContainEqual(['{"a,b","{","\\"","\\\\","","null"}']);
});

test('an invalid date is a RangeError', () => {
  const folded = foldWrites([{ type: 'put', record: { ...record, expiresAt: new Date(Number.NaN) } }], 0) as Folded;
  expect(() => prepareCommit(folded, 0)).toThrow(RangeError);
});
