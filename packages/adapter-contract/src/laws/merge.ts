import { assertSame } from '../kit/law.ts';
import { assertAbsent, assertConflict, assertFound } from './assert.ts';
import { lawsOf } from './law.ts';
import {
  commit,
  consume,
  fiftyTimes,
  freshGrant,
  freshRecord,
  merge,
  put,
  reach,
  readEach,
  readOne,
  remove,
} from './records.ts';

export const mergeLaws = lawsOf({
  'merge-adds-to-the-set': {
    says: 'Merge adds members to the existing ones, each stored once, and changes no other field.',
    async check({ store }) {
      const record = freshRecord({ subject: 'subject', clientId: 'client' });
      await commit(store, put(record));
      await commit(store, merge(record, 'b', 'a', 'b'));
      await commit(store, merge(record, 'c', 'a', 'd'));
      await commit(store, merge(record));
      assertFound(await readOne(store, record), record, 'a merged record', { members: ['a', 'b', 'c', 'd'] });
    },
  },
  'members-come-back-verbatim': {
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
  'merge-needs-a-live-unconsumed-record': {
    says: 'Merge conflicts if no live record exists (absent) or it is consumed (consumed), and adds no member.',
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
  'merge-may-move-the-expiry': {
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
  'fifty-merges-lose-nothing': {
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
  'merge-of-nothing-is-a-condition': {
    says: 'A merge without members and expiry changes nothing; if the record is not usable, it undoes its commit.',
    async check({ store }) {
      const { record } = freshGrant();
      const [usable, consumed, absent, added, later] = [record(), record(), record(), record(), record()];
      const expiring = record({ expiresAt: new Date(Date.now() + 150) });
      const at = new Date();
      await commit(store, put(usable), merge(usable, 'kept'), put(expiring), put(consumed), consume(consumed, at));
      await commit(store, merge(usable), put(added), merge(added), merge(expiring));
      assertFound(await readOne(store, usable), usable, 'a record after a merge of nothing', { members: ['kept'] });
      assertFound(await readOne(store, added), added, 'a record put before a merge of nothing');
      await reach(expiring.expiresAt);
      const conditions = [
        [[merge(absent)], 'absent'],
        [[merge(expiring)], 'absent'],
        [[merge(consumed)], 'consumed'],
        [[remove(added), merge(added)], 'absent'],
        [[consume(added), merge(added)], 'consumed'],
      ] as const;
      for (const [[...writes], reason] of conditions) {
        const failing = writes.at(-1) ?? merge(absent);
        const what = `a merge of nothing (${reason}) among other writes`;
        const conflict = await store.commit([put(later), ...writes, merge(usable, 'late')]);
        assertConflict(conflict, failing, reason, what);
        assertAbsent(await readOne(store, later), `a record put beside ${what}`);
        assertFound(await readOne(store, added), added, `a record changed before ${what}`);
        assertFound(await readOne(store, usable), usable, `a record beside ${what}`, { members: ['kept'] });
      }
    },
  },
  'merge-of-nothing-holds-amid-consumes': {
    says: 'A record put with an empty merge does not remain if a parallel commit consumes the merged record.',
    async check({ store }) {
      const cases = await fiftyTimes(async (index) => {
        const { record } = freshGrant();
        const [session, token] = [record({ kind: 'session' }), record()];
        await commit(store, put(session));
        const joins = [put(token), merge(session)];
        const ends = [consume(session), remove(token)];
        return { session, token, commits: index % 2 ? [joins, ends] : [ends, joins], joins };
      });
      const outcomes = await Promise.all(cases.flatMap(({ commits }) => commits).map((writes) => store.commit(writes)));
      for (const [index, { session, token, commits, joins }] of cases.entries()) {
        const [joined, ended] = [commits.indexOf(joins), 1 - commits.indexOf(joins)].map(
          (at) => outcomes[2 * index + at],
        );
        assertSame(ended, undefined, 'a commit that consumes a record amid merges of nothing');
        if (joined) assertConflict(joined, merge(session), 'consumed', 'a merge of nothing after a parallel consume');
        const [foundSession, foundToken] = await readEach(store, [session, token]);
        assertSame(foundSession?.members, [], 'the members of a record after a merge of nothing');
        assertAbsent(foundToken, 'a record put with a merge of nothing, once its condition was consumed');
      }
    },
  },
});
