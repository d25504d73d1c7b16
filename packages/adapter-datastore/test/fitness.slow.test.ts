import { StoreUnfitError } from '@carnet/adapter-contract';
import { openAdapter } from '@carnet/adapter-datastore';
import { startDatastore } from '@carnet/test-servers';
import { beforeTests, closing } from '@carnet/test-servers/before-tests';
import { afterEach, expect, test } from 'vitest';
import { createStore, freshRecord, put } from './store.ts';

const server = beforeTests(() => startDatastore());
afterEach(() => server.clearFaults());

const advice = {
  UNAUTHENTICATED: 'GOOGLE_APPLICATION_CREDENTIALS',
  PERMISSION_DENIED: 'roles/datastore.user',
  FAILED_PRECONDITION: 'Datastore mode',
} as const;

test.for(Object.entries(advice))('the service answers %s: an operator must act', async ([code, text]) => {
  const store = await closing(openAdapter({ url: createStore(server) }));
  const fault = { method: 'Lookup', code: code as keyof typeof advice } as const;
  await server.failNext(fault);
  const error = await store.ping().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StoreUnfitError);
  expect(error).toMatchObject({ message: expect.stringContaining(text) });
  await expect(store.ping()).resolves.toBeUndefined();
});

test('a database that does not exist', async () => {
  const url = createStore(server).replace(server.projectId, `${server.projectId}/missing`);
  const store = await closing(openAdapter({ url }));
  await expect(store.ping()).rejects.toThrow('There is no such Datastore database');
  await expect(store.commit([put(freshRecord())])).rejects.toThrow(StoreUnfitError);
});

test('a record larger than an entity is refused before it is sent', async () => {
  const store = await closing(openAdapter({ url: createStore(server) }));
  const { Commit } = (await server.statistics()).calls;
  const record = freshRecord({ payload: JSON.stringify('x'.repeat(1_100_000)) });
  await expect(store.commit([put(record)])).rejects.toThrow(RangeError);
  expect((await server.statistics()).calls.Commit).toBe(Commit);
});
