import { assertSame } from '../kit/law.ts';
import type { Write } from '../port.ts';
import { assertAbsent, assertConflict, assertFound } from './assert.ts';
import { lawsOf } from './law.ts';
import {
  claim,
  commit,
  consume,
  fiftyTimes,
  freshGrant,
  freshRecord,
  keyOf,
  put,
  readEach,
  readOne,
  remove,
  winnersOf,
} from './records.ts';

const numbered = (index: number): string => JSON.stringify({ index });

/** Operations that succeed once: claims, consumes, and the commits that depend on them. */
export const onceLaws = lawsOf({
  'claim-conflicts-with-a-live-record': {
    says: 'A claim inserts a record; if a live record has the id, consumed or not, it conflicts (exists) and changes nothing.',
    async check({ store }) {
      const record = freshRecord({ kind: 'replay' });
      await commit(store, claim(record));
      assertFound(await readOne(store, record), record, 'a claimed record');
      const write = claim({ ...record, payload: '"second"' });
      assertConflict(await store.commit([write]), write, 'exists', 'claiming what is claimed');
      assertFound(await readOne(store, record), record, 'a record after a second claim');
      const at = new Date();
      await commit(store, consume(record, at));
      assertConflict(await store.commit([write]), write, 'exists', 'claiming what is consumed');
      assertFound(await readOne(store, record), record, 'a consumed record after a claim', { consumedAt: at });
      await commit(store, remove(record));
      await commit(store, write);
    },
  },
  'one-of-fifty-claims-wins': {
    says: 'Of fifty parallel claims of an id exactly one wins, and its record stays.',
    async check({ store }) {
      const record = freshRecord({ kind: 'replay' });
      const outcomes = await fiftyTimes((index) => store.commit([claim({ ...record, payload: numbered(index) })]));
      const winners = winnersOf(outcomes);
      assertSame(winners.length, 1, 'the number of fifty parallel claims that won');
      for (const conflict of outcomes) if (conflict) assertSame(conflict.reason, 'exists', 'what the losers were told');
      assertSame((await readOne(store, record))?.payload, numbered(winners[0] ?? -1), "the winner's payload");
    },
  },
  'consume-marks-a-record-once': {
    says: 'Consume changes consumedAt alone; a second one conflicts (consumed), one of a missing record conflicts (absent).',
    async check({ store }) {
      const record = freshRecord({ subject: 'subject', clientId: 'client' });
      const early = consume(record);
      assertConflict(await store.commit([early]), early, 'absent', 'consuming what is absent');
      assertAbsent(await readOne(store, record), 'a record that was consumed before it was put');
      await commit(store, put(record));
      const at = new Date('2024-02-29T12:34:56.789Z');
      await commit(store, consume(record, at));
      assertFound(await readOne(store, record), record, 'a consumed record', { consumedAt: at });
      const again = consume(record);
      assertConflict(await store.commit([again]), again, 'consumed', 'consuming what is consumed');
      assertFound(await readOne(store, record), record, 'a record consumed twice', { consumedAt: at });
    },
  },
  'one-of-fifty-consumes-wins': {
    says: 'Of fifty parallel consumes of a record exactly one wins, and its time stays.',
    async check({ store }) {
      const record = freshRecord();
      await commit(store, put(record));
      const start = Date.now();
      const outcomes = await fiftyTimes((index) => store.commit([consume(record, new Date(start + index))]));
      const winners = winnersOf(outcomes);
      assertSame(winners.length, 1, 'the number of fifty parallel consumes that won');
      for (const conflict of outcomes)
        if (conflict) assertSame(conflict.reason, 'consumed', 'what the losers were told');
      const consumedAt = new Date(start + (winners[0] ?? -1));
      assertFound(await readOne(store, record), record, 'the record after fifty consumes', { consumedAt });
    },
  },
  'one-of-fifty-token-commits-wins': {
    says: 'Of fifty parallel commits with a claim, a consume, or a new expiry and a consume in common one wins, and only what it put is there.',
    async check({ store }) {
      const grant = freshGrant();
      const [code, old, rotated] = [
        grant.record({ kind: 'authorization_code' }),
        grant.record({ kind: 'refresh_token' }),
        grant.record({ kind: 'refresh_token' }),
      ];
      await commit(store, put(old), put(rotated));
      const expiry: Write = {
        type: 'merge',
        key: keyOf(rotated),
        members: [],
        expiresAt: new Date(Date.now() + 60_000),
      };
      for (const conditions of [[claim(code)], [consume(old)], [expiry, consume(rotated)]]) {
        const issued = Array.from({ length: 50 }, () => [grant.record({ kind: 'refresh_token' }), grant.record()]);
        // The position of the condition (first, middle or last) makes no difference.
        const calls = issued.map((records, index) =>
          store.commit(records.map(put).toSpliced(index % 3, 0, ...conditions)),
        );
        const winners = winnersOf(await Promise.all(calls));
        assertSame(winners.length, 1, `the number of fifty parallel commits with one ${conditions[0]?.type} that won`);
        for (const [index, records] of issued.entries()) {
          const isWinner = index === winners[0];
          const ids = (await readEach(store, records)).map((found) => found?.id);
          const expected = records.map(({ id }) => (isWinner ? id : undefined));
          assertSame(ids, expected, `what the ${isWinner ? 'winner' : 'loser'} of fifty commits put`);
        }
      }
    },
  },
});
