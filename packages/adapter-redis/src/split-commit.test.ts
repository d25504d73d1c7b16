import type { StoredRecord, Write } from '@carnet/adapter-contract';
import { expect, test } from 'vitest';
import { splitByPlace } from './split-commit.ts';

const record = (fields: Partial<StoredRecord>): StoredRecord => ({
  kind: 'access_token',
  id: 'id',
  payload: '{}',
  expiresAt: null,
  ...fields,
});
const put = (fields: Partial<StoredRecord>): Write => ({ type: 'put', record: record(fields) });

test('a part is all that belongs to one grant, its revocation included, in the order of the commit', () => {
  const first = put({ grantId: 'a' });
  const second = put({ grantId: 'b' });
  const third: Write = { type: 'remove', key: { kind: 'grant', id: 'x', grantId: 'a' } };
  const fourth: Write = { type: 'revoke', grantId: 'b' };
  expect(splitByPlace([first, second, third, fourth])).toEqual([
    [first, third],
    [second, fourth],
  ]);
});

test('a record of no grant is a part of its own, though its id be that of a grant or of another kind', () => {
  const writes = [put({ grantId: 'id' }), put({}), put({ kind: 'flow' })];
  const again: Write = { type: 'consume', key: { kind: 'access_token', id: 'id' }, at: new Date() };
  expect(splitByPlace([...writes, again])).toEqual([[writes[0]], [writes[1], again], [writes[2]]]);
});
