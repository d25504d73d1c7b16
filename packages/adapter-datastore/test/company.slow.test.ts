import type { StorageAdapter } from '@carnet/adapter-contract';
import { openAdapter, openDatastoreAdapter } from '@carnet/adapter-datastore';
import { startDatastore } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claim, consume, createStore, freshId, freshRecord, put, revoke } from './store.ts';

const isWon = (outcome: unknown): boolean => outcome === undefined;

describe.each(['pessimistic', 'optimistic'] as const)('a database whose transactions are %s', (concurrency) => {
  const server = beforeTests(() => startDatastore({ concurrency }));
  let url: string;
  let stores: readonly StorageAdapter[];

  beforeAll(async () => {
    url = createStore(server);
    stores = await Promise.all(Array.from({ length: 50 }, () => openAdapter({ url: `${url}&timeout=30000` })));
  });
  afterAll(() => Promise.all(stores.map((store) => store.close())));

  test('fifty processes claim a record, and consume one: each time one of them succeeds', async () => {
    const [claimed, consumed] = [freshRecord(), freshRecord()];
    await stores[0]?.commit([put(consumed)]);
    const claims = await Promise.all(stores.map((store) => store.commit([claim(claimed)])));
    expect(claims.filter(isWon)).toHaveLength(1);
    const consumes = await Promise.all(stores.map((store) => store.commit([consume(consumed)])));
    expect(consumes.filter(isWon)).toHaveLength(1);
  });

  test('fifty processes claim an expired record: one of them succeeds', async () => {
    const record = freshRecord({ expiresAt: new Date(Date.now() - 1) });
    await stores[0]?.commit([put(record)]);
    const again = { ...record, expiresAt: null };
    const claims = await Promise.all(stores.map((store) => store.commit([claim(again)])));
    expect(claims.filter(isWon)).toHaveLength(1);
  });

  test('other processes rotate a token while its grant is revoked: no record remains', async () => {
    await Promise.all(
      stores.map(async (store, index) => {
        const grantId = freshId();
        const [old, next] = [freshRecord({ grantId }), freshRecord({ grantId })];
        await store.commit([put(old)]);
        const other = stores[(index + 1) % stores.length];
        await Promise.all([store.commit([consume(old), put(next)]), other?.commit([revoke(grantId)])]);
        expect(await store.read([old, next])).toEqual([undefined, undefined]);
      }),
    );
  });

  test('a sweep beside puts removes no record that was put again', async () => {
    const records = Array.from({ length: 100 }, () => freshRecord({ expiresAt: new Date(Date.now() - 1) }));
    const sweeper = openDatastoreAdapter({ url });
    for (let round = 0; round < 3; round++) {
      await stores[0]?.commit(records.map(put));
      const renewed = records.map((record) => ({ ...record, expiresAt: null }));
      await Promise.all([
        ...[1, 2, 3].map(() => sweeper.sweep(100)),
        ...renewed.map((record, index) => stores[index % stores.length]?.commit([put(record)])),
      ]);
      expect((await sweeper.read(records)).filter(Boolean)).toHaveLength(100);
    }
    await sweeper.close();
  });
});
