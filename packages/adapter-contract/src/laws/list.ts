import type { FoundRecord, ListQuery, StorageAdapter, StoredRecord } from '../port.ts';
import { assertFound, assertHolds, assertSame } from './assert.ts';
import type { Law } from './law.ts';
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

const idsOf = (records: readonly { readonly id: string }[]): readonly string[] => records.map(({ id }) => id).sort();

const freshRecords = (count: number, fields: Partial<StoredRecord>): readonly StoredRecord[] =>
  Array.from({ length: count }, () => freshRecord(fields));

/** Walk the pages; `between` runs after each one and before the next is asked for. */
const walk = async (
  store: StorageAdapter,
  query: ListQuery,
  between: (page: readonly FoundRecord[]) => Promise<unknown> = async () => undefined,
): Promise<readonly (readonly FoundRecord[])[]> => {
  const pages: (readonly FoundRecord[])[] = [];
  for (let after: string | undefined; ; ) {
    const { records, next } = await store.list({ ...query, after });
    pages.push(records);
    assertHolds(pages.length <= 100_000, 'A walk came to no end in 100,000 pages.');
    if (next === undefined) return pages;
    assertHolds(next !== after, 'A page names itself as the next one.');
    await between(records);
    after = next;
  }
};

export const listLaws: readonly Law[] = [
  {
    name: 'list-answers-whole-records',
    says: 'A list answers records as read does, and an empty page where there are none.',
    async check({ store }) {
      const subject = freshId();
      const query = { kind: 'consent', subject, limit: 10 } as const;
      const empty = await store.list(query);
      assertSame([empty.records.length, empty.next], [0, undefined], 'length and next of the list of nothing');
      const record = freshGrant().record({ kind: 'consent', subject, clientId: 'client', expiresAt: null });
      const at = new Date();
      for (const write of [put(record), merge(record, 'member'), consume(record, at)]) await commit(store, write);
      const { records } = await store.list(query);
      assertFound(records[0], record, 'a listed record', { consumedAt: at, members: ['member'] });
    },
  },
  {
    name: 'list-fills-its-pages',
    says: 'Every page but the last holds `limit` records, and the walk meets every record once.',
    async check({ store }) {
      const subject = freshId();
      const all = freshRecords(11, { subject });
      await putEach(store, all);
      for (const limit of [1, 4, 11, 500]) {
        const pages = await walk(store, { kind: 'access_token', subject, limit });
        const sizes = pages.map((page) => page.length);
        const full = Math.floor(11 / limit);
        assertSame(
          sizes,
          [...Array(full).fill(limit), ...(11 % limit ? [11 % limit] : [])],
          `page sizes at limit ${limit}`,
        );
        assertSame(idsOf(pages.flat()), idsOf(all), `the ids of a walk at limit ${limit}`);
      }
    },
  },
  {
    name: 'list-ends-without-next',
    says: 'The last page has no `next`, though it be full.',
    async check({ store }) {
      const subject = freshId();
      await putEach(store, freshRecords(6, { subject }));
      const query = { kind: 'access_token', subject, limit: 3 } as const;
      const first = await store.list(query);
      assertHolds(typeof first.next === 'string', 'The first of two pages has no next.');
      const second = await store.list({ ...query, after: first.next });
      assertSame(second.records.length, 3, 'the length of the second page');
      assertSame(second.next, undefined, 'next on the last, full page');
      const whole = await store.list({ ...query, limit: 6 });
      assertSame(whole.next, undefined, 'next on the only, full page');
    },
  },
  {
    name: 'list-walks-a-kind-without-filters',
    says: 'A list without filters walks the whole kind and no other.',
    async check({ store }) {
      const clients = freshRecords(5, { kind: 'client', expiresAt: null });
      const others = freshRecords(3, { kind: 'flow' });
      await putEach(store, [...clients, ...others]);
      const met = (await walk(store, { kind: 'client', limit: 500 })).flat();
      assertSame(met.filter(({ kind }) => kind !== 'client').length, 0, 'the number of records of another kind');
      const mine = new Set(idsOf([...clients, ...others]));
      assertSame(idsOf(met.filter(({ id }) => mine.has(id))), idsOf(clients), 'the ids met of those just put');
    },
  },
  {
    name: 'list-filters-exactly',
    says: 'Filters match whole values, by subject, by client, or by both at once: nothing is a pattern or a prefix.',
    async check({ store }) {
      const base = freshId();
      const values = [base, `${base}:`, `${base}%`, `${base}_`, `${base}*`, `${base} `, `${base}ü`, base.toUpperCase()];
      const pairs = values.flatMap((subject) => values.map((clientId) => ({ subject, clientId })));
      const records = [...pairs, { subject: base }, { clientId: base }].map((pair) => freshRecord(pair));
      await putEach(store, records);
      for (const value of values)
        for (const filter of [{ subject: value }, { clientId: value }, { subject: value, clientId: base }]) {
          const expected = records.filter((r) => Object.entries(filter).every(([k, v]) => r[k as 'subject'] === v));
          const { records: found } = await store.list({ kind: 'access_token', ...filter, limit: 500 });
          assertSame(idsOf(found), idsOf(expected), `the ids listed for ${JSON.stringify(filter)}`);
        }
    },
  },
  {
    name: 'list-tells-subject-from-client',
    says: 'Values whose concatenation is the same are not the same pair.',
    async check({ store }) {
      const id = freshId();
      const pairs = [
        { subject: `${id}:a`, clientId: 'b' },
        { subject: id, clientId: 'a:b' },
        { subject: 'b', clientId: `${id}:a` },
      ];
      const records = pairs.map((pair) => freshRecord(pair));
      await putEach(store, records);
      for (const [index, pair] of pairs.entries()) {
        const page = await store.list({ kind: 'access_token', ...pair, limit: 10 });
        assertSame(idsOf(page.records), [records[index]?.id], `the ids listed for ${JSON.stringify(pair)}`);
      }
    },
  },
  {
    name: 'list-leaves-out-the-expired',
    says: 'What has expired is in no page, whether or not a sweep has run, and a page is filled in spite of it.',
    async check({ store }) {
      const subject = freshId();
      const expiresAt = inMilliseconds(120);
      const live = freshRecords(4, { subject });
      await putEach(store, [...live, ...freshRecords(8, { subject, expiresAt })]);
      await reach(expiresAt);
      const pages = await walk(store, { kind: 'access_token', subject, limit: 2 });
      assertSame(idsOf(pages.flat()), idsOf(live), 'the ids of a walk among expired records');
      assertSame(
        pages.map((page) => page.length),
        [2, 2],
        'page sizes of a walk among expired records',
      );
    },
  },
  {
    name: 'list-is-stable-under-changes',
    says: 'A walk meets each record that was there throughout once and only once, whatever is put or removed meanwhile.',
    async check({ store }) {
      const subject = freshId();
      const all = freshRecords(40, { subject });
      const [lasting, doomed] = [all.slice(0, 32), all.slice(32)];
      await putEach(store, all);
      let changes = 0;
      const change = async (page: readonly FoundRecord[]) => {
        const last = page.at(-1);
        // The record the cursor stands on, one that may lie ahead, and new ones on both sides; then one that is only rewritten.
        if (changes++ > 6 || last === undefined) return;
        for (const record of [last, ...doomed.splice(0, 1)]) await commit(store, remove(record));
        await putEach(store, [
          ...freshRecords(3, { subject }),
          { ...(lasting[changes] as StoredRecord), payload: '"new"' },
        ]);
      };
      const met = (await walk(store, { kind: 'access_token', subject, limit: 4 }, change)).flat();
      assertSame(met.length, new Set(idsOf(met)).size, 'the number of records met, against that of different ones');
      const seen = new Set(idsOf(met));
      const missed = lasting.filter(({ id }) => !seen.has(id));
      assertSame(missed.length, 0, 'the number of records that were there throughout and not met');
    },
  },
];
