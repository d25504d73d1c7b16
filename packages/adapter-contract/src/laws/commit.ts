import type { FoundRecord, StoredRecord, Write } from '../port.ts';
import { assertFound, assertSame } from './assert.ts';
import type { Law } from './law.ts';
import {
  claim,
  commit,
  consume,
  fiftyTimes,
  freshGrant,
  freshRecord,
  merge,
  put,
  putEach,
  readEach,
  readOne,
  remove,
  replace,
  revoke,
} from './records.ts';

/** What a sequence of writes to one record in one commit comes to, where nothing stood before. */
const sequences: Readonly<Record<string, (record: StoredRecord) => { writes: Write[]; outcome: string }>> = {
  'put, consume': (r) => ({ writes: [put(r), consume(r)], outcome: 'used' }),
  'put, merge, merge': (r) => ({ writes: [put(r), merge(r, 'a'), merge(r, 'b')], outcome: 'live a b' }),
  'claim, merge, consume': (r) => ({ writes: [claim(r), merge(r, 'a'), consume(r)], outcome: 'used a' }),
  'put, merge, consume, put': (r) => ({ writes: [put(r), merge(r, 'a'), consume(r), put(r)], outcome: 'live' }),
  'put, put onlyIfPresent': (r) => ({ writes: [put(r), replace(r)], outcome: 'live' }),
  'put, remove, claim': (r) => ({ writes: [put(r), remove(r), claim(r)], outcome: 'live' }),
  'put, remove': (r) => ({ writes: [put(r), remove(r)], outcome: 'none' }),
  'put, remove, consume': (r) => ({ writes: [put(r), remove(r), consume(r)], outcome: 'absent' }),
  'put, revoke, put onlyIfPresent': (r) => ({
    writes: [put(r), revoke(r.grantId ?? ''), replace(r)],
    outcome: 'absent',
  }),
  'put, claim': (r) => ({ writes: [put(r), claim(r)], outcome: 'exists' }),
  'claim, claim': (r) => ({ writes: [claim(r), claim(r)], outcome: 'exists' }),
  'put, consume, consume': (r) => ({ writes: [put(r), consume(r), consume(r)], outcome: 'consumed' }),
  'put, consume, merge': (r) => ({ writes: [put(r), consume(r), merge(r, 'a')], outcome: 'consumed' }),
};

const describe = (found: FoundRecord | undefined): string =>
  found ? [found.consumedAt ? 'used' : 'live', ...[...found.members].sort()].join(' ') : 'none';

export const commitLaws: readonly Law[] = [
  {
    name: 'commit-of-nothing-succeeds',
    says: 'Committing no writes is no conflict.',
    async check({ store }) {
      assertSame(await store.commit([]), undefined, 'the answer to a commit of nothing');
    },
  },
  {
    name: 'commit-takes-any-number-of-writes',
    says: 'One commit takes 500 writes.',
    async check({ store }) {
      const grant = freshGrant();
      const records = Array.from({ length: 500 }, () => grant.record());
      await commit(store, ...records.map(put));
      const found = await readEach(store, records);
      assertSame(found.filter(Boolean).length, 500, 'the number of records after a commit of 500');
    },
  },
  {
    name: 'commit-spans-grants',
    says: 'The records of one commit may belong to several grants and to none; without a conflict all are applied.',
    async check({ store }) {
      const [a, b] = [freshGrant(), freshGrant()];
      const records = [a.record(), b.record(), freshRecord(), a.record(), freshRecord(), b.record()];
      await commit(store, ...records.map(put));
      const found = await readEach(store, records);
      for (const [index, record] of records.entries())
        assertFound(found[index], record, `record ${index} of the commit`);
    },
  },
  {
    name: 'writes-see-earlier-ones',
    says: 'A write sees the writes before it in the same commit, as if each had been a commit of its own.',
    async check({ store }) {
      for (const [name, sequence] of Object.entries(sequences)) {
        const record = freshGrant().record();
        const { writes, outcome } = sequence(record);
        const conflict = await store.commit(writes);
        const left = describe(await readOne(store, record));
        assertSame(conflict?.reason ?? left, outcome, `what [${name}] comes to`);
        if (conflict) assertSame(left, 'none', `what is left after the conflict of [${name}]`);
      }
    },
  },
  {
    name: 'commits-in-any-order-finish',
    says: 'Parallel commits that touch the same records in opposite orders all finish, one after the other.',
    async check({ store }) {
      const grant = freshGrant();
      const [a, b] = [grant.record(), grant.record()];
      await putEach(store, [a, b]);
      const outcomes = await fiftyTimes((index) => {
        const payload = JSON.stringify({ index });
        const writes = [put({ ...a, payload }), put({ ...b, payload })];
        return store.commit(index % 2 ? writes : writes.reverse());
      });
      assertSame(outcomes.filter(Boolean), [], 'the conflicts of fifty parallel puts');
      const [foundA, foundB] = await readEach(store, [a, b]);
      assertSame(foundA?.payload, foundB?.payload, 'the payloads of two records that every commit put together');
    },
  },
];
