import type { FoundRecord, StorageAdapter, StoredRecord, Write } from '@carnet/adapter-contract';

/** A record that never expires, unless told otherwise. */
const recordOf = (id: string, fields: Partial<StoredRecord> = {}): StoredRecord => ({
  kind: 'access_token',
  id,
  payload: '{}',
  expiresAt: null,
  ...fields,
});

export const put = (id: string, fields?: Partial<StoredRecord>): Write => ({
  type: 'put',
  record: recordOf(id, fields),
});

export const claim = (id: string, fields?: Partial<StoredRecord>): Write => ({
  type: 'claim',
  record: recordOf(id, { kind: 'replay', ...fields }),
});

/** Which of these records of `recordOf` are there. */
export const present = async (store: StorageAdapter, ids: readonly string[]): Promise<readonly string[]> => {
  const found = await store.read(ids.map((id) => ({ kind: 'access_token', id })));
  return found.filter((record): record is FoundRecord => record !== undefined).map(({ id }) => id);
};
