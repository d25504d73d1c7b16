import type { Kind, RecordKey, StorageAdapter, StoredRecord, Write } from '@carnet/adapter-contract';
import { openMigrator } from '@carnet/adapter-redis';

/** What `carnet migrate up` does. */
export const migrateUp = async (url: string): Promise<readonly string[]> => {
  const migrator = await openMigrator({ url });
  try {
    return await migrator.up();
  } finally {
    await migrator.close();
  }
};

let count = 0;

/** Lives for an hour, unless told otherwise. */
export const freshRecord = (fields: Partial<StoredRecord> = {}): StoredRecord => ({
  kind: 'replay',
  id: `id-${process.pid}-${count++}`,
  payload: '{}',
  expiresAt: new Date(Date.now() + 3_600_000),
  ...fields,
});

export const keyOf = ({ kind, id, grantId }: RecordKey): RecordKey => ({ kind, id, grantId });

export const put = (record: StoredRecord): Write => ({ type: 'put', record });
export const claim = (record: StoredRecord): Write => ({ type: 'claim', record });

export const readOne = async (store: StorageAdapter, record: RecordKey) => (await store.read([keyOf(record)]))[0];

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
