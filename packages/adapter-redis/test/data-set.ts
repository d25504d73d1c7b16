import type { Kind, StorageAdapter } from '@carnet/adapter-contract';
import { openMigrator } from '@carnet/adapter-redis';
import { expect } from 'vitest';

export { closing } from '@carnet/test-servers/before-tests';
export { claim, consume, freshRecord, keyOf, put, readOne, remove } from '../../adapter-contract/src/laws/records.ts';

/** What `carnet migrate up` does. */
export const migrateUp = async (url: string): Promise<readonly string[]> => {
  const migrator = await openMigrator({ url });
  try {
    return await migrator.up();
  } finally {
    await migrator.close();
  }
};

/** Asks until the call succeeds. */
export const succeeds = (call: () => Promise<unknown>) =>
  expect.poll(() => call().then(() => 'succeeded', String)).toBe('succeeded');

/** The ids of a list, page by page. */
export const walk = async (store: StorageAdapter, kind: Extract<Kind, 'session' | 'consent'>, subject: string) => {
  const ids: string[] = [];
  for (let after: string | undefined; ; ) {
    const { records, next } = await store.list({ kind, subject, limit: 2, after });
    ids.push(...records.map(({ id }) => id));
    if (next === undefined) return ids;
    after = next;
  }
};
