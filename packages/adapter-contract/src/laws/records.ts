import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Conflict, FoundRecord, RecordKey, StorageAdapter, StoredRecord, Write } from '../port.ts';
import { assertAbsent, assertCommitted, assertFound } from './assert.ts';

/** Shaped like the SHA-256 of an id: 43 characters of base64url. */
export const freshId = (): string => randomBytes(32).toString('base64url');

export const inMilliseconds = (milliseconds: number): Date => new Date(Date.now() + milliseconds);

const oneHour = 3_600_000;

/** By default, an access token without a grant that expires in an hour. */
export const freshRecord = (fields: Partial<StoredRecord> = {}): StoredRecord => ({
  kind: 'access_token',
  id: freshId(),
  payload: '{"n":1}',
  expiresAt: inMilliseconds(oneHour),
  ...fields,
});

/** A grant of its own, and records that belong to it: every adapter can commit those together. */
export const freshGrant = () => {
  const grantId = freshId();
  return { grantId, record: (fields: Partial<StoredRecord> = {}) => freshRecord({ grantId, ...fields }) };
};

/** The key of a record, with its grant: the same one wherever the record is named. */
export const keyOf = ({ kind, id, grantId }: RecordKey): RecordKey =>
  grantId === undefined ? { kind, id } : { kind, id, grantId };

export const put = (record: StoredRecord): Write => ({ type: 'put', record });
export const replace = (record: StoredRecord): Write => ({ type: 'put', record, onlyIfPresent: true });
export const claim = (record: StoredRecord): Write => ({ type: 'claim', record });
export const remove = (key: RecordKey): Write => ({ type: 'remove', key: keyOf(key) });
export const consume = (key: RecordKey, at = new Date()): Write => ({ type: 'consume', key: keyOf(key), at });
export const merge = (key: RecordKey, ...members: string[]): Write => ({ type: 'merge', key: keyOf(key), members });
export const revoke = (grantId: string): Write => ({ type: 'revoke', grantId });

/** Commit what has to succeed. */
export const commit = async (store: StorageAdapter, ...writes: Write[]): Promise<void> =>
  assertCommitted(await store.commit(writes), `committing ${writes.map((write) => write.type).join(', ')}`);

/** Put each record in a commit of its own: no adapter has to do more for records of several grants. */
export const putEach = async (store: StorageAdapter, records: readonly StoredRecord[]): Promise<void> => {
  await Promise.all(records.map((record) => commit(store, put(record))));
};

export const readEach = (store: StorageAdapter, keys: readonly RecordKey[]) => store.read(keys.map(keyOf));

export const readOne = async (store: StorageAdapter, key: RecordKey): Promise<FoundRecord | undefined> =>
  (await readEach(store, [key]))[0];

/** Reads the records, and throws unless none is there. */
export const assertEachAbsent = async (store: StorageAdapter, records: readonly RecordKey[], what: string) => {
  for (const found of await readEach(store, records)) assertAbsent(found, what);
};

/** Reads the records, and throws unless each is as it was put. */
export const assertEachStored = async (store: StorageAdapter, records: readonly StoredRecord[], what: string) => {
  const found = await readEach(store, records);
  for (const [index, record] of records.entries()) assertFound(found[index], record, what);
};

/** Resolves at the instant or a little after it. */
export const reach = async (instant: Date | null): Promise<void> => {
  for (let left = 1; left > 0; ) {
    left = (instant?.getTime() ?? 0) - Date.now();
    if (left > 0) await delay(left);
  }
};

/** Fifty concurrent callers, and the result of each. */
export const fiftyTimes = <T>(call: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 50 }, (_, index) => call(index)));

/** Which of the parallel commits went through. */
export const winnersOf = (outcomes: readonly (Conflict | undefined)[]): readonly number[] =>
  outcomes.flatMap((conflict, index) => (conflict === undefined ? [index] : []));
