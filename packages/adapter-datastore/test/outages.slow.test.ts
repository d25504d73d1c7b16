import type { StoredRecord } from '@carnet/adapter-contract';
import { openAdapter } from '@carnet/adapter-datastore';
import { startDatastore, startProxy } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { expect, test } from 'vitest';
import { claim, consume, createStore, freshId, freshRecord, put, revoke } from './store.ts';

const server = beforeTests(() => startDatastore());
const proxy = beforeTests(() => startProxy({ port: server.port }));
const store = beforeTests(() => {
  const url = createStore({ ...server, host: `127.0.0.1:${proxy.port}` });
  return openAdapter({ url: `${url}&timeout=500` });
});

/** Calls of each kind. */
const callAll = () => {
  const calls = [
    () => store.read([freshRecord()]),
    () => store.commit([claim(freshRecord())]),
    () => store.commit([put(freshRecord({ kind: 'client' }))]),
    () => store.commit([consume(freshRecord())]),
    () => store.commit([revoke(freshId())]),
    () => store.list({ kind: 'client', limit: 1 }),
    () => store.sweep(1),
    () => store.ping(),
  ];
  return Promise.allSettled(Array.from({ length: 16 }, (_, index) => calls[index % calls.length]?.()));
};

const outcomes = async (): Promise<readonly string[]> => [...new Set((await callAll()).map(({ status }) => status))];

const expectRecovery = () => expect.poll(outcomes).toEqual(['fulfilled']);

/** Acknowledged writes, and one that was acknowledged as removed. */
const acknowledge = async (): Promise<readonly [StoredRecord, StoredRecord, StoredRecord]> => {
  const [kept, used, removed] = [freshRecord(), freshRecord(), freshRecord({ grantId: freshId() })] as const;
  await store.commit([put(kept), put(used), put(removed)]);
  await store.commit([consume(used), revoke(removed.grantId ?? '')]);
  return [kept, used, removed];
};

const expectAcknowledged = async ([kept, used, removed]: readonly [StoredRecord, StoredRecord, StoredRecord]) => {
  const found = await store.read([kept, used, removed]);
  expect(found.map((record) => record?.id)).toEqual([kept.id, used.id, undefined]);
  expect(found[1]?.consumedAt).not.toBeNull();
};

test('a server that is killed and started again has all acknowledged writes', async () => {
  await expectRecovery();
  const acknowledged = await acknowledge();
  await server.kill();
  expect(await outcomes()).toEqual(['rejected']);
  await server.start();
  await expectRecovery();
  await expectAcknowledged(acknowledged);
});

test('a server that accepts requests and does not answer', async () => {
  await expectRecovery();
  const acknowledged = await acknowledge();
  server.pause();
  expect(await outcomes()).toEqual(['rejected']);
  server.resume();
  await expectRecovery();
  await expectAcknowledged(acknowledged);
});

test('a network that swallows everything: the connection is replaced', async () => {
  await expectRecovery();
  await proxy.set('silent');
  expect(await outcomes()).toEqual(['rejected']);
  await proxy.set('pass');
  await expectRecovery();
});

test('a network that refuses connections', async () => {
  await proxy.set('refuse');
  expect(await outcomes()).toEqual(['rejected']);
  await proxy.set('pass');
  await expectRecovery();
});

test('a network that is slow, but in time', async () => {
  await proxy.set({ delayMs: 20 });
  expect(await outcomes()).toEqual(['fulfilled']);
  await proxy.set('pass');
  await expectRecovery();
});
