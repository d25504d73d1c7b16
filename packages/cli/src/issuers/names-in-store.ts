import { issuerOfId, listedKinds, type StorageAdapter } from '@carnet/adapter-contract';
import { scanPages } from './issuer-store.ts';

/** Before the ids of all named issuers, and after those of one. */
const [beforeAll, afterAllOf] = ['~', (name: string): string => `~${name}~~`] as const;

/** A list of a whole kind is in the order of the ids: one record of each issuer is read, and the others are skipped. */
const namesIn = async (store: StorageAdapter, kind: (typeof listedKinds)[number]): Promise<readonly string[]> => {
  const names: string[] = [];
  for (let after: string = beforeAll; ; ) {
    const { records } = await store.list({ kind, after, limit: 1 });
    const name = records[0] && issuerOfId(records[0].id);
    if (name === undefined) return names;
    names.push(name);
    after = afterAllOf(name);
  }
};

/** The named issuers that have clients, keys, trusted issuers or deliveries in the store, in the order of their names. */
export const issuersInLists = async (store: StorageAdapter): Promise<readonly string[]> => {
  const names = await Promise.all(listedKinds.map((kind) => namesIn(store, kind)));
  return [...new Set(names.flat())].sort();
};

/** The named issuers that have records of any kind. Reads all of them. */
export const issuersInRecords = async (
  store: StorageAdapter,
  onProgress: (count: number) => void,
): Promise<readonly string[]> => {
  const names = new Set<string>();
  let count = 0;
  for await (const records of scanPages(store, beforeAll)) {
    for (const { id } of records) names.add(issuerOfId(id) ?? '');
    count += records.length;
    onProgress(count);
  }
  return [...names].sort();
};
