import { type StoredRecord, StoreUnfitError } from '@carnet/adapter-contract';
import { describe, expect, test } from 'vitest';
import { openAdapter } from './index.ts';
import { openMemoryAdapter } from './memory-adapter.ts';

const record = (id: string, expiresAt: number | null, fields: Partial<StoredRecord> = {}): StoredRecord => ({
  kind: 'access_token',
  id,
  payload: '{}',
  expiresAt: expiresAt === null ? null : new Date(expiresAt),
  ...fields,
});

/** A store whose clock is stopped until a test moves it. */
const openAt = (instant: number) => {
  const clock = { now: instant };
  const store = openMemoryAdapter({ now: () => clock.now });
  const put = (...records: StoredRecord[]) => store.commit(records.map((each) => ({ type: 'put', record: each })));
  const isThere = async (id: string) => (await store.read([{ kind: 'access_token', id }]))[0] !== undefined;
  return { clock, store, put, isThere };
};

describe('openAdapter', () => {
  test('opens a store of its own for each call', async () => {
    const [a, b] = [await openAdapter({ url: 'memory:' }), await openAdapter({ url: 'memory:' })];
    await a.commit([{ type: 'put', record: record('id', null) }]);
    expect(await b.read([{ kind: 'access_token', id: 'id' }])).toEqual([undefined]);
  });

  test('refuses the URL of another store', async () => {
    const opening = openAdapter({ url: 'postgres://localhost/carnet' });
    await expect(opening).rejects.toThrow(StoreUnfitError);
    await expect(opening).rejects.toThrow('"memory:"');
  });
});

describe('expiry by the clock it is given', () => {
  test('a record is present one millisecond before its expiry and absent at it', async () => {
    const { clock, put, isThere } = openAt(1_000);
    await put(record('id', 2_000));
    clock.now = 1_999;
    expect(await isThere('id')).toBe(true);
    clock.now = 2_000;
    expect(await isThere('id')).toBe(false);
  });

  test('a record with an invalid expiry is refused, and nothing of its commit is kept', async () => {
    const { put, isThere } = openAt(1_000);
    await expect(put(record('valid', null), record('invalid', Number.NaN))).rejects.toThrow(RangeError);
    expect(await isThere('valid')).toBe(false);
  });
});

describe('sweep', () => {
  test('removes the earliest first, up to its limit, and counts them and those left', async () => {
    const { clock, store, put, isThere } = openAt(0);
    await put(record('c', 300), record('a', 100), record('d', 400), record('b', 200), record('never', null));
    clock.now = 300;
    expect(await store.sweep(2)).toEqual({ removed: 2, left: 1 });
    clock.now = 0;
    expect(await Promise.all(['a', 'b', 'c', 'd', 'never'].map(isThere))).toEqual([false, false, true, true, true]);
    clock.now = 300;
    expect(await store.sweep(2)).toEqual({ removed: 1, left: 0 });
    expect(await store.sweep(2)).toEqual({ removed: 0, left: 0 });
    clock.now = 0;
    expect(await Promise.all(['c', 'd', 'never'].map(isThere))).toEqual([false, true, true]);
  });

  test('spares a record that was given longer, and takes it at its new expiry', async () => {
    const { clock, store, put, isThere } = openAt(0);
    await put(record('id', 100));
    await put(record('id', 300));
    clock.now = 200;
    expect(await store.sweep(10)).toEqual({ removed: 0, left: 0 });
    expect(await isThere('id')).toBe(true);
    clock.now = 300;
    expect(await store.sweep(10)).toEqual({ removed: 1, left: 0 });
  });

  test('counts a record once that was put often', async () => {
    const { clock, store, put } = openAt(0);
    await put(record('first', 1));
    for (let i = 0; i < 5_000; i++) await put(record('id', 1_000 + i));
    await put(record('other', 500));
    clock.now = 10_000;
    expect(await store.sweep(1)).toEqual({ removed: 1, left: 2 });
    expect(await store.sweep(10)).toEqual({ removed: 2, left: 0 });
    expect(await store.sweep(10)).toEqual({ removed: 0, left: 0 });
  });

  test('removes in the end all that it says is left, and counts no further than 10,000', async () => {
    const { clock, store, put } = openAt(0);
    await put(...Array.from({ length: 10_007 }, (_, i) => record(`${i}`, 1 + (i % 50))));
    clock.now = 100;
    expect(await store.sweep(2)).toEqual({ removed: 2, left: 10_000 });
    expect(await store.sweep(10)).toEqual({ removed: 10, left: 9_995 });
    expect(await store.sweep(20_000)).toEqual({ removed: 9_995, left: 0 });
  });

  test('forgets what it removed in lists and revocations too', async () => {
    const { clock, store, put } = openAt(0);
    const session = (fields: Partial<StoredRecord>) => record('id', null, { kind: 'session', ...fields });
    await put(session({ expiresAt: new Date(100), subject: 'subject', grantId: 'grant' }));
    clock.now = 100;
    await store.sweep(10);
    await put(session({ subject: 'other' }));
    clock.now = 0;
    expect(await store.list({ kind: 'session', subject: 'subject', limit: 10 })).toEqual({ records: [] });
    await store.commit([{ type: 'revoke', grantId: 'grant' }]);
    expect((await store.list({ kind: 'session', subject: 'other', limit: 10 })).records).toHaveLength(1);
  });
});
