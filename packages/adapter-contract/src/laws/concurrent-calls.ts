import { assertSame } from '../kit/law.ts';
import type { Conflict, StoredRecord, Write } from '../port.ts';
import { assertConflict, assertFound } from './assert.ts';
import { lawsOf } from './law.ts';
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
  replace,
} from './records.ts';

/** One of several concurrent calls: a commit of its own grant, and its expected result. */
interface Case {
  readonly writes: readonly Write[];
  readonly added: readonly StoredRecord[];
  readonly conflict?: Conflict;
}

/** Two of three go through; each kind of conflict comes several times. */
const createCases = async (putFirst: (records: readonly StoredRecord[]) => Promise<void>): Promise<readonly Case[]> =>
  fiftyTimes(async (index) => {
    const { record } = freshGrant();
    const [live, absent, added] = [record(), record(), [record(), record({ kind: 'refresh_token' })]];
    await putFirst([live]);
    const impossible = [
      { write: claim(live), reason: 'exists' },
      { write: consume(absent), reason: 'absent' },
      { write: merge(absent, 'member'), reason: 'absent' },
      { write: replace(absent), reason: 'absent' },
    ] as const;
    const conflict = index % 3 === 1 ? impossible[Math.floor(index / 3) % impossible.length] : undefined;
    const condition = conflict?.write ?? (index % 3 === 0 ? consume(live) : claim(absent));
    return { writes: [...added.map(put), condition], added, conflict };
  });

/** Concurrent calls. A store may combine them if the effect is the same. */
export const concurrentCallLaws = lawsOf({
  'commits-at-once-are-answered-each-for-itself': {
    says: 'Concurrent commits of different grants each have their own outcome, regardless of the others.',
    async check({ store }) {
      const cases = await createCases((records) => putEach(store, records));
      const outcomes = await Promise.all(cases.map(({ writes }) => store.commit(writes)));
      for (const [index, { added, conflict }] of cases.entries()) {
        const outcome = outcomes[index];
        if (conflict === undefined)
          assertSame(outcome, undefined, 'the outcome of a commit beside others that conflict');
        else assertConflict(outcome, conflict.write, conflict.reason, 'a commit that conflicts beside others');
        const ids = (await readEach(store, added)).map((found) => found?.id);
        const expected = added.map(({ id }) => (conflict === undefined ? id : undefined));
        assertSame(ids, expected, 'what is there of one of fifty commits at once');
      }
    },
  },
  'reads-at-once-are-answered-each-for-itself': {
    says: 'Concurrent reads are each answered in the order of their own keys, even if they share keys.',
    async check({ store }) {
      const records = Array.from({ length: 7 }, (_, n) => freshRecord({ payload: JSON.stringify({ n }) }));
      await putEach(store, records);
      const absent = freshRecord();
      const calls = await fiftyTimes(async (index) => {
        const keys = [...records.slice(index % 7), absent, ...records.slice(0, index % 3)];
        return { keys, found: await readEach(store, keys) };
      });
      for (const { keys, found } of calls) {
        const expected = keys.map((key) => (key === absent ? undefined : key.id));
        assertSame(
          found.map((each) => each?.id),
          expected,
          'the answer to one of fifty reads at once',
        );
      }
    },
  },
  'answers-at-once-alias-nothing': {
    says: 'Of reads of one record that are made at once, changing one answer changes no other.',
    async check({ store }) {
      const record = freshRecord();
      await commit(store, put(record));
      const [first, ...others] = await fiftyTimes(() => readOne(store, record));
      first?.expiresAt?.setTime(0);
      Object.assign(first ?? {}, { payload: '"defaced"' });
      for (const other of others) assertFound(other, record, 'an answer after changing another one given at once');
    },
  },
  'read-amid-others-sees-what-is-committed': {
    says: 'A read that starts after a commit has resolved sees it, even if other reads of the record have already begun.',
    async check({ store }) {
      const record = freshRecord();
      await commit(store, put(record));
      for (let n = 0; n < 20; n++) {
        const payload = JSON.stringify({ n });
        const early = fiftyTimes(() => readOne(store, record));
        await commit(store, put({ ...record, payload }));
        assertSame((await readOne(store, record))?.payload, payload, 'what a read after a commit found, amid others');
        await early;
      }
    },
  },
});
