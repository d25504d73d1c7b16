import { assertHolds, assertSame } from '../kit/law.ts';
import type { FoundRecord, ListQuery, listedBySubject, listedKinds, StorageAdapter, StoredRecord } from '../port.ts';
import { commit, freshRecord, remove } from './records.ts';

/** The lists: all records of a kind, or those of one subject. */
export type Scope =
  | { readonly kind: (typeof listedKinds)[number]; readonly subject?: undefined }
  | { readonly kind: (typeof listedBySubject)[number]; readonly subject: string };

export const freshRecords = (count: number, fields: Partial<StoredRecord>): readonly StoredRecord[] =>
  Array.from({ length: count }, () => freshRecord(fields));

export const idsOf = (records: readonly { readonly id: string }[]): readonly string[] =>
  records.map(({ id }) => id).sort();

/** The records of the test that are in a list. The list of a whole kind may contain other records. */
export const onlyOf = <T extends { readonly id: string }>(
  mine: readonly { readonly id: string }[],
  met: readonly T[],
): readonly T[] => {
  const ids = new Set(idsOf(mine));
  return met.filter(({ id }) => ids.has(id));
};

export type Pages = readonly (readonly FoundRecord[])[];

/** Walk the pages; `between` runs after each one and before the next is asked for. */
export const walk = async (
  store: StorageAdapter,
  query: ListQuery,
  between: (page: readonly FoundRecord[]) => Promise<unknown> = async () => undefined,
): Promise<Pages> => {
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

/** Every page holds `limit` records. The last one may hold fewer, and is empty only if the list is empty. */
export const assertFull = (pages: Pages, limit: number, what: string): void => {
  const total = pages.flat().length;
  const sizes = Array.from({ length: Math.max(1, Math.ceil(total / limit)) }, (_, index) =>
    Math.min(limit, total - index * limit),
  );
  assertSame(
    pages.map((page) => page.length),
    sizes,
    `page sizes of ${what} at limit ${limit}`,
  );
};

/** Remove the records in the end: a list of their whole kind would meet them ever after. */
export const removingAfter = async (
  store: StorageAdapter,
  records: readonly StoredRecord[],
  use: () => Promise<void>,
): Promise<void> => {
  try {
    await use();
  } finally {
    await Promise.all(records.map((record) => commit(store, remove(record))));
  }
};
