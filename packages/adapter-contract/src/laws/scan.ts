import { assertHolds, assertSame } from '../kit/law.ts';
import {
  type FoundRecord,
  kinds,
  listedKinds,
  type ScanQuery,
  type StorageAdapter,
  type StoredRecord,
} from '../port.ts';
import { assertFound } from './assert.ts';
import { lawsOf } from './law.ts';
import { freshRecords, idsOf, onlyOf, removingAfter } from './pages.ts';
import { commit, consume, freshId, freshRecord, inMilliseconds, merge, putEach, reach, remove } from './records.ts';

/** The records of a scan, each as it was first returned; `between` runs after each page and before the next. */
export const scanAll = async (
  store: Pick<StorageAdapter, 'scan'>,
  query: ScanQuery,
  between: () => Promise<unknown> = async () => undefined,
): Promise<readonly FoundRecord[]> => {
  const met = new Map<string, FoundRecord>();
  for (let pages = 0, after: string | undefined; ; pages++) {
    const { records, next } = await store.scan({ ...query, after });
    for (const record of records) {
      const name = `${record.kind}:${record.id}`;
      met.set(name, met.get(name) ?? record);
    }
    assertHolds(pages <= 100_000, 'A scan came to no end in 100,000 pages.');
    if (next === undefined) return [...met.values()];
    assertHolds(next !== after, 'A page of a scan names itself as the next one.');
    await between();
    after = next;
  }
};

/** A text with which no other record begins. It has characters that a pattern would interpret. */
const freshPrefix = (): string => `~${freshId()}_-`;

/** Records of each kind: alone and, unless all of the kind are listed, in a grant. */
const recordsOfEachKind = (prefix: string): readonly StoredRecord[] =>
  kinds.flatMap((kind) => {
    const alone = freshRecord({ kind, id: prefix + freshId(), clientId: freshId(), subject: freshId() });
    const granted = freshRecord({ kind, grantId: prefix + freshId(), expiresAt: null });
    return listedKinds.some((listed) => listed === kind) ? [alone] : [alone, granted];
  });

export const scanLaws = lawsOf({
  'scan-returns-every-kind': {
    says: 'A scan of the whole store returns the records of every kind, in a grant or not, with all their fields.',
    async check({ store }) {
      const records = recordsOfEachKind(freshPrefix());
      const at = new Date();
      await removingAfter(store, records, async () => {
        await putEach(store, records);
        for (const record of records) await commit(store, merge(record, 'member'));
        for (const record of records) await commit(store, consume(record, at));
        const met = onlyOf(records, await scanAll(store, { limit: 500 }));
        assertSame(idsOf(met), idsOf(records), 'the ids of a scan');
        for (const found of met) {
          const record = records.find(({ id }) => id === found.id) as StoredRecord;
          assertFound(found, record, `a scanned ${found.kind}`, { consumedAt: at, members: ['member'] });
        }
      });
    },
  },
  'scan-returns-the-places-of-a-prefix': {
    says: 'A scan with a prefix returns the records whose grant, or else id, begins with it, in pages of any size.',
    async check({ store }) {
      const prefix = freshPrefix();
      const records = recordsOfEachKind(prefix);
      const others = [
        freshRecord({ id: prefix.slice(0, -1) }),
        freshRecord({ id: `${prefix.slice(0, -2)}x-${freshId()}` }),
        freshRecord({ id: prefix.toUpperCase() + freshId() }),
        freshRecord({ id: prefix + freshId(), grantId: freshId() }),
        freshRecord({ id: freshId() + prefix }),
      ];
      await removingAfter(store, [...records, ...others], async () => {
        await putEach(store, [...records, ...others]);
        for (const limit of [20, 500]) {
          const met = await scanAll(store, { limit, prefix });
          assertSame(idsOf(met), idsOf(records), `the ids of a scan with a prefix at limit ${limit}`);
        }
      });
    },
  },
  'scan-leaves-out-the-expired': {
    says: 'What has expired is in no page of a scan.',
    async check({ store }) {
      const prefix = freshPrefix();
      const expiresAt = inMilliseconds(150);
      const live = recordsOfEachKind(prefix);
      const expiring = recordsOfEachKind(prefix).map((record) => ({ ...record, expiresAt }));
      await removingAfter(store, [...live, ...expiring], async () => {
        await putEach(store, [...live, ...expiring]);
        await reach(expiresAt);
        assertSame(idsOf(await scanAll(store, { limit: 20, prefix })), idsOf(live), 'the ids of a scan');
      });
    },
  },
  'scan-is-stable-under-changes': {
    says: 'A scan returns each record that exists throughout, even if others are put or removed meanwhile.',
    async check({ store }) {
      const prefix = freshPrefix();
      const fresh = (count: number): StoredRecord[] => [
        ...freshRecords(count, {}).map((record) => ({ ...record, id: prefix + record.id })),
        ...freshRecords(count, { grantId: prefix + freshId() }),
      ];
      const [lasting, doomed, newcomers] = [fresh(40), fresh(10), fresh(10)];
      await removingAfter(store, [...lasting, ...doomed, ...newcomers], async () => {
        await putEach(store, [...lasting, ...doomed]);
        const met = await scanAll(store, { limit: 20, prefix }, async () => {
          for (const record of doomed.splice(0, 5)) await commit(store, remove(record));
          await putEach(store, newcomers.slice(0, 1));
          newcomers.push(...newcomers.splice(0, 1));
        });
        assertSame(idsOf(onlyOf(lasting, met)), idsOf(lasting), 'the ids of a scan while records changed');
      });
    },
  },
});
