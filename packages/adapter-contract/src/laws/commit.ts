import { assertSame } from '../kit/law.ts';
import { lawsOf } from './law.ts';
import { commit, fiftyTimes, freshGrant, freshRecord, put, putEach, readEach } from './records.ts';

export const commitLaws = lawsOf({
  'commit-of-nothing-succeeds': {
    says: 'Committing no writes is no conflict.',
    async check({ store }) {
      assertSame(await store.commit([]), undefined, 'the answer to a commit of nothing');
    },
  },
  'commit-takes-any-number-of-writes': {
    says: 'One commit takes 500 writes.',
    async check({ store }) {
      const grant = freshGrant();
      const records = Array.from({ length: 500 }, () => grant.record());
      await commit(store, ...records.map(put));
      const found = await readEach(store, records);
      assertSame(found.filter(Boolean).length, 500, 'the number of records after a commit of 500');
    },
  },
  'commits-in-any-order-finish': {
    says: 'Parallel commits that touch the same records in opposite orders all finish; those of one grant by turns.',
    async check({ store }) {
      const grant = freshGrant();
      const pairs = [
        [grant.record(), grant.record()],
        [freshGrant().record(), freshRecord()],
      ] as const;
      for (const [a, b] of pairs) {
        await putEach(store, [a, b]);
        const outcomes = await fiftyTimes((index) => {
          const payload = JSON.stringify({ index });
          const writes = [put({ ...a, payload }), put({ ...b, payload })];
          return store.commit(index % 2 ? writes : writes.reverse());
        });
        assertSame(outcomes.filter(Boolean), [], 'the conflicts of fifty parallel puts');
        const [foundA, foundB] = await readEach(store, [a, b]);
        if (a.grantId === b.grantId)
          assertSame(foundA?.payload, foundB?.payload, 'the payloads of two records that every commit put together');
      }
    },
  },
});
