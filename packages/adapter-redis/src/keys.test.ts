import { kinds, listedBySubject, listedKinds } from '@carnet/adapter-contract';
import { expect, test } from 'vitest';
import { createKeyLayout, keyOfMember, keysOfList, memberOf } from './keys.ts';

const keys = createKeyLayout('carnet:');

test('an id of base64url is its own key', () => {
  expect(keys.record({ kind: 'grant', id: 'aZ-_09', grantId: 'g' })).toBe('carnet:{g}:grant:aZ-_09');
  expect(keys.record({ kind: 'flow', id: 'aZ-_09' })).toBe('carnet:{aZ-_09}:flow:aZ-_09');
});

test('two records never share a key, whatever their names', () => {
  const names = ['a', 'A', '~', 'a}', '}', '{', 'a:b', 'client', 'ids', 'revoke', 'schema', 'session:a', '%7D', 'ü'];
  const all = [
    keys.marker,
    ...names.map(keys.ofGrant),
    ...listedBySubject.flatMap((kind) => names.flatMap((subject) => keysOfList(keys.listOf({ kind, subject }) ?? ''))),
    ...listedKinds.flatMap((kind) => keysOfList(keys.listOf({ kind }) ?? '')),
    ...kinds.flatMap((kind) =>
      names.flatMap((id) => [
        keys.record({ kind, id }),
        ...names.filter((name) => name !== id).map((grantId) => keys.record({ kind, id, grantId })),
      ]),
    ),
  ];
  expect(new Set(all).size).toBe(all.length);
});

test.each([
  ['id', undefined],
  ['id', 'grant'],
  ['a:b', 'c:d'],
  ['%', '}{'],
])('the key of id %j and grant %j leads back to the record', (id, grantId) => {
  const key = { kind: 'grant', id, ...(grantId !== undefined && { grantId }) } as const;
  expect(keys.parse(keys.record(key))).toEqual(key);
});

test('the key of an index is of no record', () => {
  const list = keys.listOf({ kind: 'session', subject: 'a' }) ?? '';
  const indexes = [keys.ofGrant('g'), ...keysOfList(list), ...keysOfList(keys.listOf({ kind: 'client' }) ?? '')];
  expect(indexes.map(keys.parse)).toEqual(indexes.map(() => undefined));
});

test('a list contains listed records alone', () => {
  const listed = kinds.filter((kind) => keys.listOf({ kind, subject: 'a' }) !== undefined);
  expect(listed.toSorted()).toEqual([...listedKinds, ...listedBySubject].toSorted());
  expect(keys.listOf({ kind: 'session' })).toBeUndefined();
});

test.each([
  ['id', undefined],
  ['id', 'grant'],
  ['a:b', 'c:d'],
  ['%', '}{'],
])('an entry of a list leads back to id %j and grant %j', (id, grantId) => {
  expect(keyOfMember('grant', memberOf({ kind: 'grant', id, grantId }))).toEqual({ kind: 'grant', id, grantId });
});
