import type { FoundRecord, RecordKey, StorageAdapter, StoredRecord, Write } from '@carnet/adapter-contract';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import { expect, test } from 'vitest';
import { scanPages } from '../records/scan-pages.ts';
import { compareStores } from './compare-stores.ts';
import { copyRecords } from './copy-records.ts';

const silent = { err: () => {} };
const oneOf = (count: number): number => Math.floor(Math.random() * count);

const keyOf = (index: number): RecordKey => ({
  kind: index % 3 === 0 ? 'refresh_token' : 'session',
  id: `r${index}`,
  ...(index % 2 === 0 && { grantId: `g${index % 7}` }),
});
const newRecord = (): StoredRecord => ({ ...keyOf(oneOf(90)), payload: `${Math.random()}`, expiresAt: null });

/** A change as servers make it: tokens are issued, used and revoked, sessions get clients. */
const change = (): Write => {
  const key = keyOf(oneOf(90));
  const changes: readonly Write[] = [
    { type: 'put', record: newRecord() },
    { type: 'claim', record: newRecord() },
    { type: 'consume', key, at: new Date(1e12) },
    { type: 'merge', key, members: [`m${oneOf(3)}`] },
    { type: 'merge', key, members: [], expiresAt: new Date(4e12 + oneOf(1_000)) },
    { type: 'remove', key },
    { type: 'revoke', grantId: `g${oneOf(7)}` },
  ];
  return changes[oneOf(changes.length)] as Write;
};

const changeSome = async (store: StorageAdapter, count: number): Promise<void> => {
  for (let done = 0; done < count; done++) await store.commit([change()]);
};

/** A store that servers change while it is read, in small pages. */
const inUse = (store: StorageAdapter): StorageAdapter => ({
  ...store,
  scan: async (query) => {
    const page = await store.scan({ ...query, limit: 5 });
    await changeSome(store, oneOf(4));
    return page;
  },
  read: async (keys) => {
    const found = await store.read(keys);
    await changeSome(store, oneOf(4));
    return found;
  },
});

/** A store that ends the copy at some commit. */
const failing = (store: StorageAdapter): StorageAdapter => ({
  ...store,
  commit: async (writes) => {
    if (oneOf(60) === 0) throw new Error('interrupted');
    return store.commit(writes);
  },
});

const recordsOf = async (store: StorageAdapter): Promise<readonly FoundRecord[]> => {
  const records: FoundRecord[] = [];
  for await (const page of scanPages(store)) records.push(...page);
  return records
    .map((record) => ({ ...record, members: record.members.toSorted() }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
};

test('the last pass makes the target equal, whatever changed or failed during earlier ones', async () => {
  for (let round = 0; round < 40; round++) {
    const [source, target] = [openMemoryAdapter(), openMemoryAdapter()];
    await changeSome(source, 150);
    await source.commit([{ type: 'put', record: newRecord() }]);
    for (let pass = 0; pass < 3; pass++)
      await copyRecords({ source: inUse(source), target: failing(target) }, silent).catch((error: Error) =>
        expect(`${error} ${error.cause}`).toMatch('interrupted'),
      );
    // Servers have stopped.
    await source.commit([{ type: 'put', record: newRecord() }]);
    await copyRecords({ source, target }, silent);
    expect(await recordsOf(target)).toEqual(await recordsOf(source));
  }
});

test('a record that expires during the copy does not prevent the copy of its neighbours', async () => {
  const [source, target] = [openMemoryAdapter(), openMemoryAdapter()];
  const grantId = 'g';
  const lasting: StoredRecord = { kind: 'refresh_token', id: 'lasting', grantId, payload: '{}', expiresAt: null };
  const expiring: StoredRecord = { ...lasting, id: 'expiring', expiresAt: new Date(Date.now() + 60_000) };
  await source.commit([
    { type: 'put', record: lasting },
    { type: 'put', record: expiring },
    { type: 'consume', key: expiring, at: new Date() },
  ]);
  // The target reads a clock on which the record has expired.
  const late: StorageAdapter = {
    ...target,
    commit: (writes) =>
      target.commit(
        writes.map((write) =>
          write.type === 'put' && write.record.id === 'expiring'
            ? { ...write, record: { ...write.record, expiresAt: new Date(0) } }
            : write,
        ),
      ),
  };
  await copyRecords({ source, target: late }, silent);
  expect((await recordsOf(target)).map(({ id }) => id)).toEqual(['lasting']);
});

test('a record that is about to expire is no difference', async () => {
  const [source, target] = [openMemoryAdapter(), openMemoryAdapter()];
  const soon = new Date(Date.now() + 2_000);
  await source.commit([{ type: 'put', record: { ...newRecord(), expiresAt: soon } }]);
  await target.commit([{ type: 'put', record: { ...newRecord(), kind: 'consent', expiresAt: soon } }]);
  const counts = [...(await compareStores({ source, target }, silent)).values()];
  expect(counts.map(({ missing, surplus }) => missing + surplus)).toEqual([0, 0]);
});
