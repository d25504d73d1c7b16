import { assertAbsent, assertConflict, assertFound, assertSame } from './assert.ts';
import type { Law } from './law.ts';
import { commit, consume, fiftyTimes, freshRecord, merge, put, readOne } from './records.ts';

export const mergeLaws: readonly Law[] = [
  {
    name: 'merge-adds-to-the-set',
    says: 'Merge adds members to those that are there, each kept once, and changes nothing else.',
    async check({ store }) {
      const record = freshRecord({ subject: 'subject', clientId: 'client' });
      await commit(store, put(record));
      await commit(store, merge(record, 'b', 'a', 'b'));
      await commit(store, merge(record, 'c', 'a', 'd'));
      await commit(store, merge(record));
      assertFound(await readOne(store, record), record, 'a merged record', { members: ['a', 'b', 'c', 'd'] });
    },
  },
  {
    name: 'members-come-back-verbatim',
    says: 'A member is any text: case, spaces, quotes, separators and the empty string count.',
    async check({ store }) {
      const record = freshRecord();
      const members = [
        'client',
        'Client',
        ' client ',
        '',
        '{"a":1}',
        "it's",
        'a,b',
        'a:b',
        '{a}',
        '渡辺 👩‍👩‍👧',
        'null',
        '1',
      ];
      await commit(store, put(record));
      await commit(store, merge(record, ...members));
      assertFound(await readOne(store, record), record, 'a record with unusual members', { members });
    },
  },
  {
    name: 'merge-needs-a-live-unconsumed-record',
    says: 'Merge conflicts where there is no live record (absent) or it is consumed (consumed), and adds nothing.',
    async check({ store }) {
      const record = freshRecord();
      for (const write of [merge(record, 'early'), merge(record)])
        assertConflict(await store.commit([write]), write, 'absent', 'merging into what is absent');
      assertAbsent(await readOne(store, record), 'a record that was merged before it was put');
      await commit(store, put(record));
      assertFound(await readOne(store, record), record, 'a record put after a merge that found none');
      const at = new Date();
      await commit(store, merge(record, 'kept'));
      await commit(store, consume(record, at));
      for (const write of [merge(record, 'late'), merge(record)])
        assertConflict(await store.commit([write]), write, 'consumed', 'merging into what is consumed');
      const state = { consumedAt: at, members: ['kept'] };
      assertFound(await readOne(store, record), record, 'a consumed record after a merge', state);
    },
  },
  {
    name: 'merge-may-move-the-expiry',
    says: 'A merge with an expiry moves it, later or sooner, and keeps the payload and the members.',
    async check({ store }) {
      const later = freshRecord({ expiresAt: new Date(Date.now() + 60_000) });
      const moved = new Date(Date.now() + 120_000);
      await commit(store, put(later));
      await commit(store, merge(later, 'kept'));
      await commit(store, { type: 'merge', key: later, members: [], expiresAt: moved });
      const expected = { ...later, expiresAt: moved };
      assertFound(await readOne(store, later), expected, 'a record whose expiry was moved', { members: ['kept'] });
      await commit(store, { type: 'merge', key: later, members: [], expiresAt: new Date(0) });
      assertAbsent(await readOne(store, later), 'a record whose expiry was moved into the past');
    },
  },
  {
    name: 'fifty-merges-lose-nothing',
    says: 'Fifty parallel merges into one record all succeed, and every member is there.',
    async check({ store }) {
      const record = freshRecord({ kind: 'session' });
      await commit(store, put(record));
      const outcomes = await fiftyTimes((index) => store.commit([merge(record, `client-${index}`, 'everyone')]));
      assertSame(outcomes.filter(Boolean), [], 'the conflicts of fifty parallel merges');
      const members = ['everyone', ...Array.from({ length: 50 }, (_, index) => `client-${index}`)];
      assertFound(await readOne(store, record), record, 'the record after fifty merges', { members });
    },
  },
];
