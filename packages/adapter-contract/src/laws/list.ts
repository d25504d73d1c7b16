import { assertHolds, assertSame } from '../kit/law.ts';
import { type FoundRecord, listedBySubject, listedKinds, type StorageAdapter, type StoredRecord } from '../port.ts';
import { assertFound } from './assert.ts';
import { lawsOf } from './law.ts';
import { assertFull, freshRecords, idsOf, onlyOf, removingAfter, type Scope, walk } from './pages.ts';
import {
  commit,
  consume,
  freshGrant,
  freshId,
  freshRecord,
  inMilliseconds,
  merge,
  put,
  putEach,
  reach,
  remove,
} from './records.ts';

/** A fresh scope of every kind that is listed. */
const freshScopes = (): readonly Scope[] => [
  ...listedKinds.map((kind) => ({ kind })),
  ...listedBySubject.map((kind) => ({ kind, subject: freshId() })),
];

/** Walk a scope and put, rewrite and remove between its pages; answers what was there throughout, and what was met. */
const walkAmongChanges = async (store: StorageAdapter, scope: Scope, limit: number) => {
  const lasting = freshRecords(8 * limit, scope);
  const doomed = [...freshRecords(2 * limit, scope)];
  const newcomers = [...freshRecords(21, scope)];
  const mine = [...lasting, ...doomed, ...newcomers];
  await putEach(store, [...lasting, ...doomed]);
  let changes = 0;
  const change = async (page: readonly FoundRecord[]) => {
    if (changes++ > 6) return;
    // The record of the cursor, one that may be after it, and new records on both sides; then one that is only
    // rewritten.
    const gone = [...onlyOf(mine, page.slice(-1)), ...doomed.splice(0, 1)];
    for (const record of gone) await commit(store, remove(record));
    await putEach(store, [...newcomers.splice(0, 3), { ...(lasting[changes] as StoredRecord), payload: '"new"' }]);
  };
  let met: readonly FoundRecord[] = [];
  await removingAfter(store, mine, async () => {
    met = (await walk(store, { ...scope, limit }, change)).flat();
  });
  return { lasting, met };
};

export const listLaws = lawsOf({
  'list-answers-whole-records': {
    says: 'A list answers records as read does, and an empty page where there are none.',
    async check({ store }) {
      for (const kind of listedBySubject) {
        const query = { kind, subject: freshId(), limit: 10 };
        const empty = await store.list(query);
        assertSame([empty.records.length, empty.next], [0, undefined], 'length and next of the list of nothing');
        const fields = { kind, subject: query.subject, clientId: 'client', expiresAt: null, payload: '{ "a": "é" }' };
        const record = freshGrant().record(fields);
        const at = new Date();
        for (const write of [put(record), merge(record, 'member'), consume(record, at)]) await commit(store, write);
        const { records } = await store.list(query);
        assertFound(records[0], record, `a listed ${kind}`, { consumedAt: at, members: ['member'] });
      }
      for (const kind of listedKinds) {
        const record = freshRecord({ kind, expiresAt: null });
        await removingAfter(store, [record], async () => {
          for (const write of [put(record), merge(record, 'member')]) await commit(store, write);
          const met = (await walk(store, { kind, limit: 500 })).flat();
          assertFound(onlyOf([record], met)[0], record, `a listed ${kind}`, { members: ['member'] });
        });
      }
    },
  },
  'list-fills-its-pages': {
    says: 'Every page but the last holds `limit` records, and the walk meets every record once.',
    async check({ store }) {
      for (const kind of listedBySubject) {
        const scope = { kind, subject: freshId() };
        const all = freshRecords(11, scope);
        await putEach(store, all);
        for (const limit of [1, 4, 11, 500]) {
          const pages = await walk(store, { ...scope, limit });
          assertFull(pages, limit, `eleven records of a kind ${kind}`);
          assertSame(idsOf(pages.flat()), idsOf(all), `the ids of a walk at limit ${limit}`);
        }
      }
    },
  },
  'list-ends-without-next': {
    says: 'The last page has no `next`, though it be full.',
    async check({ store }) {
      for (const kind of listedBySubject) {
        const query = { kind, subject: freshId(), limit: 3 };
        await putEach(store, freshRecords(6, { kind, subject: query.subject }));
        const first = await store.list(query);
        assertHolds(typeof first.next === 'string', 'The first of two pages has no next.');
        const second = await store.list({ ...query, after: first.next });
        assertSame(second.records.length, 3, 'the length of the second page');
        assertSame(second.next, undefined, 'next on the last, full page');
        const whole = await store.list({ ...query, limit: 6 });
        assertSame(whole.next, undefined, 'next on the only, full page');
      }
    },
  },
  'list-walks-a-whole-kind': {
    says: 'A list of a whole kind returns each of its records once, with a subject or without, in full pages.',
    async check({ store }) {
      const whole = listedKinds.flatMap((kind) => [
        ...freshRecords(104, { kind }),
        freshRecord({ kind, expiresAt: null }),
        freshRecord({ kind, subject: freshId(), clientId: freshId() }),
      ]);
      const sameId = freshId();
      const others = [
        ...listedKinds.map((kind) => freshRecord({ kind, id: sameId })),
        ...listedBySubject.map((kind) => freshRecord({ kind, subject: freshId() })),
        freshRecord({ kind: 'flow' }),
      ];
      await removingAfter(store, [...whole, ...others], async () => {
        await putEach(store, [...whole, ...others]);
        for (const kind of listedKinds) {
          const own = [...whole, ...others].filter((record) => record.kind === kind);
          for (const limit of [50, 500]) {
            const pages = await walk(store, { kind, limit });
            assertFull(pages, limit, `all of the kind ${kind}`);
            const met = pages.flat();
            assertSame(met.filter((found) => found.kind !== kind).length, 0, 'the number of records of another kind');
            const mine = onlyOf([...whole, ...others], met);
            assertSame(idsOf(mine), idsOf(own), `the ids met of the kind ${kind} just put`);
          }
        }
      });
    },
  },
  'list-of-a-kind-is-in-the-order-of-ids': {
    says: 'A list of a whole kind is in the byte order of the ids, and begins after any text, an id or not.',
    async check({ store }) {
      for (const kind of listedKinds) {
        const start = freshId();
        const ends = ['', '-', '0', 'A', 'Z', '_', 'a', 'z', '~', '~-', '~z'];
        const ids = ends.map((end) => `~${start}${end}`);
        const records = ids.toReversed().map((id) => freshRecord({ kind, id }));
        await removingAfter(store, records, async () => {
          await putEach(store, records);
          for (const [index, after] of [`~${start.slice(0, -1)}`, ...ids.slice(0, 5)].entries()) {
            const page = await store.list({ kind, after, limit: 501 });
            const mine = onlyOf(records, page.records).map(({ id }) => id);
            assertSame(mine, ids.slice(index), `the ids of each ${kind} after ${JSON.stringify(after)}`);
          }
        });
      }
    },
  },
  'list-leaves-out-the-expired': {
    says: 'What has expired is in no page, whether or not a sweep has run, and a page is filled in spite of it.',
    async check({ store }) {
      const expiresAt = inMilliseconds(150);
      const scopes = freshScopes().map((scope) => ({
        scope,
        live: freshRecords(4, scope),
        expiring: freshRecords(8, { ...scope, expiresAt }),
      }));
      const mine = scopes.flatMap(({ live, expiring }) => [...live, ...expiring]);
      await removingAfter(store, mine, async () => {
        await putEach(store, mine);
        await reach(expiresAt);
        for (const { scope, live } of scopes) {
          const limit = scope.subject === undefined ? 500 : 2;
          const pages = await walk(store, { ...scope, limit });
          assertSame(idsOf(onlyOf(mine, pages.flat())), idsOf(live), `the ids of each live ${scope.kind}`);
          assertFull(pages, limit, 'a walk among expired records');
        }
      });
    },
  },
  'list-is-stable-under-changes': {
    says: 'A walk returns each record that exists throughout exactly once, even if others are put or removed meanwhile.',
    async check({ store }) {
      for (const scope of freshScopes()) {
        const limit = scope.subject === undefined ? 20 : 4;
        const { lasting, met } = await walkAmongChanges(store, scope, limit);
        assertSame(met.length, new Set(idsOf(met)).size, 'the number of records met, against that of different ones');
        const missed = lasting.length - onlyOf(lasting, met).length;
        assertSame(missed, 0, `the number of records of a kind ${scope.kind} that were there throughout and not met`);
      }
    },
  },
});
