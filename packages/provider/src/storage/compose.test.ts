import type { RecordKey, StorageAdapter, StoredRecord, Write } from '@carnet/adapter-contract';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import { beforeEach, describe, expect, test } from 'vitest';
import { composeStores, createUndoneBy, type Stores, storesOf } from './compose.ts';
import { sweepBatches } from './sweep.ts';

const record = (kind: StoredRecord['kind'], id: string, fields: Partial<StoredRecord> = {}): StoredRecord => ({
  kind,
  id,
  payload: '{}',
  expiresAt: null,
  ...fields,
});
const put = (stored: StoredRecord): Write => ({ type: 'put', record: stored });
const claim = (stored: StoredRecord): Write => ({ type: 'claim', record: stored });
const keyOf = ({ kind, id, grantId }: StoredRecord): RecordKey => ({ kind, id, grantId });

/** What each store was asked, in order. */
let asked: string[];
const named = (name: string, store: StorageAdapter): StorageAdapter => ({
  ...store,
  read: (keys) => {
    asked.push(`${name} reads ${keys.map(({ id }) => id).join(' ')}`);
    return store.read(keys);
  },
  commit: (writes) => {
    asked.push(`${name} commits ${writes.map((write) => write.type).join(' ')}`);
    return store.commit(writes);
  },
});

describe('a store made of two', () => {
  let lasting: StorageAdapter;
  let quick: StorageAdapter;
  let stores: Stores;
  let store: StorageAdapter;
  const session = record('session', 's', { subject: 'alice' });
  const mark = record('authorization_code', 'c', { grantId: 'g' });
  const token = record('access_token', 't', { grantId: 'g' });
  const jti = record('replay', 'j');
  const reuse = record('replay', 'r', { grantId: 'g' });

  beforeEach(() => {
    asked = [];
    lasting = openMemoryAdapter();
    quick = openMemoryAdapter();
    const other = named('quick', quick);
    stores = storesOf(named('lasting', lasting), { sessions: other, replays: other });
    store = composeStores(stores);
  });

  const isThere = async (key: StoredRecord, from: StorageAdapter = store) =>
    (await from.read([keyOf(key)]))[0] !== undefined;

  test('asks each once for what is read, and answers in order', async () => {
    await store.commit([put(session), put(mark)]);
    asked = [];
    const found = await store.read([mark, record('grant', 'absent'), session].map(keyOf));
    expect(found.map((each) => each?.id)).toEqual(['c', undefined, 's']);
    expect(asked).toEqual(['lasting reads c absent', 'quick reads s']);
  });

  test('keeps what belongs to a grant with the tokens, whatever its kind', async () => {
    await store.commit([claim(reuse), put(token)]);
    expect(asked).toEqual(['lasting commits claim put']);
    await store.commit([{ type: 'revoke', grantId: 'g' }]);
    expect([await isThere(reuse), await isThere(token)]).toEqual([false, false]);
  });

  test('commits parts in the order of their first writes, and neighbours of one store together', async () => {
    await store.commit([claim(jti), put(session), claim(mark), put(token), put(record('client', 'x'))]);
    expect(asked).toEqual(['quick commits claim put', 'lasting commits claim put put']);
  });

  test('skips the writes after a conflict, and keeps those before it', async () => {
    await store.commit([claim(mark)]);
    const writes = [claim(jti), claim(mark), put(token), put(session)];
    const conflict = await store.commit(writes);
    expect(conflict).toEqual({ write: writes[1], reason: 'exists' });
    expect([await isThere(jti), await isThere(token), await isThere(session)]).toEqual([true, false, false]);
    expect(conflict && createUndoneBy(stores)(conflict, writes)).toEqual([writes[2], writes[3]]);
  });

  test('knows that a store which is atomic has undone what stood before a conflict there, if it stood there', async () => {
    await store.commit([claim(mark)]);
    const writes = [claim(jti), put(record('client', 'x')), claim(mark), put(token), put(session)];
    const conflict = await store.commit(writes);
    expect([await isThere(jti), await isThere(record('client', 'x'))]).toEqual([true, false]);
    expect(conflict && createUndoneBy(stores)(conflict, writes)).toEqual([writes[1], writes[3], writes[4]]);
  });

  test('goes by parts where a store is atomic for one grant only', async () => {
    const capabilities = { ...lasting.capabilities, atomicCommit: 'grant' } as const;
    const cluster = storesOf({ ...lasting, capabilities }, {});
    const writes = [put(record('client', 'x')), claim(mark), put(token)];
    const conflict = { write: writes[1] as Write, reason: 'exists' } as const;
    expect(createUndoneBy(cluster)(conflict, writes)).toEqual([writes[2]]);
    expect(createUndoneBy(storesOf(lasting, {}))(conflict, writes)).toEqual([writes[0], writes[2]]);
  });

  test('lists, sweeps and pings each', async () => {
    const expired = new Date(0);
    await store.commit([put(session), put(record('client', 'x'))]);
    await quick.commit([put(record('session', 'old', { expiresAt: expired }))]);
    await lasting.commit([put(record('grant', 'old', { expiresAt: expired }))]);
    expect((await store.list({ kind: 'session', subject: 'alice', limit: 9 })).records).toHaveLength(1);
    expect((await store.list({ kind: 'client', limit: 9 })).records).toHaveLength(1);
    expect(await store.sweep(9)).toEqual({ removed: 2, left: 0 });
    await store.ping();
    await quick.close();
    await expect(store.ping()).rejects.toThrow();
  });

  test('scans each to its end', async () => {
    await store.commit([put(session), put(mark), put(token), put(jti)]);
    const ids: (string | undefined)[] = [];
    let after: string | undefined;
    do {
      const page = await store.scan({ limit: 1, after });
      ids.push(...page.records.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined);
    expect(ids.toSorted()).toEqual(['c', 'j', 's', 't']);
  });

  test('goes on to sweep until each has nothing left', async () => {
    const expire = (to: StorageAdapter, kind: StoredRecord['kind'], count: number) =>
      to.commit(Array.from({ length: count }, (_, i) => put(record(kind, `${i}`, { expiresAt: new Date(0) }))));
    await expire(lasting, 'client', 10);
    await expire(quick, 'session', 50);
    expect(await store.sweep(10)).toEqual({ removed: 10, left: 50 });
    expect(await sweepBatches(store)).toEqual({ removed: 50, left: 0 });
  });

  test('the composition of one store returns that store', () => {
    expect(composeStores(storesOf(lasting, {}))).toBe(lasting);
    expect(store.capabilities).toEqual({ atomicCommit: 'grant', shared: false, durable: false, neverRevives: true });
  });
});
