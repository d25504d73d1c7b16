import type { FoundRecord, StorageAdapter, StoredRecord } from '../port.ts';
import { assertFound, assertPresent } from './assert.ts';
import { lawsOf } from './law.ts';
import { commit, freshId, freshRecord, merge, put, readEach, readOne } from './records.ts';

/** Mutates every field, which the types forbid. Frozen objects may throw. */
const deface = (record: StoredRecord | FoundRecord | undefined): void => {
  assertPresent(record as FoundRecord | undefined, 'a record to change');
  const found = record as { -readonly [K in keyof FoundRecord]: FoundRecord[K] };
  const changes = [
    () => found.expiresAt?.setTime(0),
    () => found.consumedAt?.setTime(0),
    () => (found.members as string[] | undefined)?.push('defaced'),
    () => Object.assign(found, { payload: '"defaced"', expiresAt: null, subject: 'defaced', clientId: 'defaced' }),
  ];
  for (const change of changes) {
    try {
      change();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
};

/** Stores a record with a date, an array and a redemption date. Returns it as it must be stored after a copy changes. */
const putAliasable = async (store: StorageAdapter, subject: string) => {
  const record = freshRecord({ kind: 'consent', subject, clientId: 'client' });
  await commit(store, put(record));
  await commit(store, merge(record, 'member'));
  return record;
};

export const aliasingLaws = lawsOf({
  'answers-alias-nothing': {
    says: 'Changing a result of read or list changes neither another result nor the store.',
    async check({ store }) {
      const subject = freshId();
      const record = await putAliasable(store, subject);
      const [first, second] = await readEach(store, [record, record]);
      const listed = await store.list({ kind: 'consent', subject, limit: 10 });
      deface(first);
      assertFound(second, record, 'the second of two answers after changing the first', { members: ['member'] });
      deface(listed.records[0]);
      assertFound(second, record, 'an answer after changing a listed one', { members: ['member'] });
      assertFound(await readOne(store, record), record, 'the record after changing answers', { members: ['member'] });
      const again = await store.list({ kind: 'consent', subject, limit: 10 });
      assertFound(again.records[0], record, 'the listed record after changing answers', { members: ['member'] });
    },
  },
  'writes-are-not-kept-by-reference': {
    says: 'Changing a record, date or array after the commit that stored it does not change the store.',
    async check({ store }) {
      const record = freshRecord({ subject: freshId(), clientId: 'client' });
      const input = { ...record, expiresAt: new Date(record.expiresAt ?? 0) };
      const members = ['member'];
      const at = new Date();
      const consumedAt = new Date(at);
      await commit(store, put(input));
      await commit(store, { type: 'merge', key: record, members });
      await commit(store, { type: 'consume', key: record, at });
      deface(input);
      members.push('defaced');
      at.setTime(0);
      assertFound(await readOne(store, record), record, 'the record after changing what was written', {
        consumedAt,
        members: ['member'],
      });
    },
  },
});
