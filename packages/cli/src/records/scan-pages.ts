import type { StorageAdapter } from '@carnet/adapter-contract';

/** All records of a store, or of an issuer, in pages. */
export const scanPages = async function* (store: Pick<StorageAdapter, 'scan'>, prefix?: string) {
  for (let after: string | undefined; ; ) {
    const { records, next } = await store.scan({ limit: 500, after, prefix });
    yield records;
    if (next === undefined) return;
    after = next;
  }
};
