import { bindAdapter } from '../bind-adapter.ts';
import { assertHolds, assertSame } from '../kit/law.ts';
import {
  type Kind,
  kinds,
  type ListQuery,
  listedBySubject,
  listedKinds,
  type StorageAdapter,
  type StoredRecord,
  type Write,
} from '../port.ts';
import { assertAbsent, assertConflict, assertFound } from './assert.ts';
import { lawsOf } from './law.ts';
import { assertFull, freshRecords, idsOf, onlyOf, removingAfter, walk } from './pages.ts';
import {
  claim,
  commit,
  consume,
  freshId,
  freshRecord,
  merge,
  put,
  readOne,
  remove,
  replace,
  revoke,
} from './records.ts';

import { scanAll } from './scan.ts';

/** The first issuer of the store, and two named ones: one name is the beginning of the other. */
const issuersOf = (
  store: StorageAdapter,
): readonly [first: StorageAdapter, shop: StorageAdapter, shop2: StorageAdapter] => [
  bindAdapter(store, undefined),
  bindAdapter(store, 'shop'),
  bindAdapter(store, 'shop-2'),
];

type Issuers = ReturnType<typeof issuersOf>;

/** Every issuer but one. */
const othersOf = (issuers: Issuers, issuer: StorageAdapter): readonly StorageAdapter[] =>
  issuers.filter((other) => other !== issuer);

/** A record of each kind under one id, with a grant and without. */
const recordsOfEachKind = (): readonly StoredRecord[] =>
  kinds.flatMap((kind) => {
    const [id, subject] = [freshId(), freshId()];
    const alone = freshRecord({ kind, id, subject });
    const isListedWhole = listedKinds.some((listed) => listed === kind);
    return isListedWhole ? [alone] : [alone, freshRecord({ kind, id: freshId(), grantId: freshId(), subject })];
  });

const named = (record: StoredRecord, payload: string): StoredRecord => ({
  ...record,
  payload: JSON.stringify(payload),
});

/** Nothing that another issuer does to the key of a record reaches the record. */
const attack = async (other: StorageAdapter, record: StoredRecord): Promise<void> => {
  const what = `a ${record.kind} of another issuer`;
  assertAbsent(await readOne(other, record), what);
  for (const write of [consume(record), merge(record, 'member'), replace(record)]) {
    const conflict = await other.commit([put(freshRecord()), write]);
    assertConflict(conflict, write, 'absent', `a ${write.type} of ${what}`);
    assertHolds(conflict?.write === write, `A conflict about ${what} names a write that the caller did not pass.`);
  }
  await commit(other, remove(record));
  if (record.grantId !== undefined) await commit(other, revoke(record.grantId));
};

/** The same id with other fields, at each issuer: each has its own record, and ends its own alone. */
const assertOwn = async (issuers: Issuers, record: StoredRecord): Promise<void> => {
  const records = issuers.map((_, index) => named(record, `issuer ${index}`));
  for (const [index, issuer] of issuers.entries()) await commit(issuer, claim(records[index] as StoredRecord));
  for (const [index, issuer] of issuers.entries()) {
    assertFound(
      await readOne(issuer, record),
      records[index] as StoredRecord,
      `a ${record.kind} with the id of another`,
    );
    const end: Write = record.grantId === undefined ? remove(record) : revoke(record.grantId);
    await commit(issuer, end);
    assertAbsent(await readOne(issuer, record), `a ${record.kind} that its issuer has ended`);
    for (const [later, other] of issuers.entries())
      if (later > index)
        assertFound(await readOne(other, record), records[later] as StoredRecord, 'one of another issuer');
  }
};

/** The list of each issuer, in pages, has the records of that issuer. */
const assertListed = async (issuers: Issuers, records: readonly (readonly StoredRecord[])[], query: ListQuery) => {
  for (const [index, issuer] of issuers.entries()) {
    const own = records[index] ?? [];
    const pages = await walk(issuer, query);
    assertFull(pages, query.limit, `the ${query.kind} records of one issuer`);
    const met = query.subject === undefined ? onlyOf(records.flat(), pages.flat()) : pages.flat();
    assertSame(idsOf(met), idsOf(own), `the ids of each ${query.kind} of one issuer`);
    for (const found of met)
      assertFound(found, own.find(({ id }) => id === found.id) as StoredRecord, `a listed ${query.kind}`);
  }
};

/** At each issuer: some under the same ids, and some of its own. */
const recordsToList = (kind: Kind, subject: string): readonly (readonly StoredRecord[])[] => {
  const shared = freshRecords(3, { kind, subject });
  return [4, 1, 2].map((count, index) => [
    ...shared.map((record) => named(record, `issuer ${index}`)),
    ...freshRecords(count, { kind, subject }),
  ]);
};

const putAtEach = async (issuers: Issuers, records: readonly (readonly StoredRecord[])[]): Promise<void> => {
  for (const [index, issuer] of issuers.entries())
    for (const record of records[index] ?? []) await commit(issuer, put(record));
};

export const issuerLaws = lawsOf({
  'issuers-share-no-record': {
    says: 'A record of one issuer is absent for every other, whatever they read or write under its id.',
    async check({ store }) {
      const issuers = issuersOf(store);
      for (const issuer of issuers) {
        const records = recordsOfEachKind();
        for (const record of records) await commit(issuer, put(record));
        await Promise.all(records.flatMap((record) => othersOf(issuers, issuer).map((other) => attack(other, record))));
        const found = await issuer.read(records);
        for (const [index, record] of records.entries())
          assertFound(found[index], record, `a ${record.kind} after other issuers wrote under its id`);
        await Promise.all(records.map((record) => commit(issuer, remove(record))));
      }
    },
  },
  'issuers-have-ids-of-their-own': {
    says: 'Several issuers may have records under one id and one grant, and each ends its own.',
    async check({ store }) {
      const issuers = issuersOf(store);
      await Promise.all(recordsOfEachKind().map((record) => assertOwn(issuers, record)));
    },
  },
  'issuers-share-no-list-of-a-kind': {
    says: 'A list of a kind has the records of one issuer, in full pages, whatever cursor it begins at.',
    async check({ store }) {
      const issuers = issuersOf(store);
      for (const kind of listedKinds) {
        const records = recordsToList(kind, freshId());
        await removingAfter(issuers[0], records[0] ?? [], () =>
          removingAfter(issuers[1], records[1] ?? [], () =>
            removingAfter(issuers[2], records[2] ?? [], async () => {
              await putAtEach(issuers, records);
              for (const limit of [1, 500]) await assertListed(issuers, records, { kind, limit });
              const foreign = await issuers[0].list({ kind, after: '~shop~', limit: 500 });
              assertSame([...foreign.records], [], 'the page of the first issuer from a cursor of another');
            }),
          ),
        );
      }
    },
  },
  'issuers-share-no-list-of-a-subject': {
    says: 'A list of a subject has the records of one issuer, whatever the subjects of the others are called.',
    async check({ store }) {
      const issuers = issuersOf(store);
      for (const kind of listedBySubject) {
        const subject = freshId();
        const records = recordsToList(kind, subject);
        await putAtEach(issuers, records);
        // Called as the subject of another issuer is in the store.
        const likeOthers = freshRecords(5, { kind, subject: `~shop~${subject}` });
        for (const record of likeOthers) await commit(issuers[0], put(record));
        for (const limit of [1, 3, 500]) await assertListed(issuers, records, { kind, subject, limit });
        const query = { kind, subject: `~shop~${subject}`, limit: 2 };
        await assertListed(issuers, [likeOthers], query);
      }
    },
  },
  'issuers-share-no-scan': {
    says: 'A scan returns the records of one issuer, whatever prefix it has.',
    async check({ store }) {
      const issuers = issuersOf(store);
      const prefix = freshId();
      const records = issuers.map(() => recordsOfEachKind().map((record) => ({ ...record, id: prefix + record.id })));
      await putAtEach(issuers, records);
      for (const [index, issuer] of issuers.entries()) {
        const own = (records[index] ?? []).filter(({ grantId }) => grantId === undefined);
        const met = await scanAll(issuer, { limit: 500, prefix });
        assertSame(idsOf(met), idsOf(own), 'the ids of a scan of one issuer');
        await Promise.all((records[index] ?? []).map((record) => commit(issuer, remove(record))));
      }
      const foreign = await scanAll(issuers[0], { limit: 500, prefix: '~shop' });
      assertSame(foreign, [], 'a scan of the first issuer with the prefix of another');
    },
  },
  'issuers-have-long-subjects': {
    says: 'A subject of 1,024 bytes may belong to an issuer whose name has 63 characters.',
    async check({ store }) {
      const issuer = bindAdapter(store, 'n'.repeat(63));
      for (const kind of listedBySubject) {
        const record = freshRecord({ kind, grantId: freshId(), subject: freshId().padEnd(1_024, 'x') });
        await commit(issuer, put(record));
        const { records } = await issuer.list({ kind, subject: record.subject ?? '', limit: 1 });
        assertFound(records[0], record, `a ${kind} of a long subject`);
      }
    },
  },
});
