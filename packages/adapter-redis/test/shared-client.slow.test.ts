import type { StorageAdapter } from '@carnet/adapter-contract';
import { openAdapter, openMigrator, type SharedClient } from '@carnet/adapter-redis';
import { startRedis, startRedisCluster, startRedisSentinel } from '@carnet/test-servers';
import { Cluster, Redis } from 'ioredis';
import { afterAll, describe, expect, test } from 'vitest';
import { testLaws } from '../../adapter-contract/test/laws.ts';
import { claim, freshRecord, readOne } from './data-set.ts';

/** The hosts in a URL of the adapter. */
const hostsIn = (url: string) => {
  const hosts = /\/\/([^/?]+)/.exec(url)?.[1] ?? '';
  return hosts.split(',').map((one) => ({ host: one.split(':')[0] ?? '', port: Number(one.split(':')[1]) }));
};

const migrated = async (client: SharedClient): Promise<SharedClient> => {
  const migrator = await openMigrator({ client });
  await migrator.up();
  await migrator.close();
  afterAll(() => client.disconnect());
  return client;
};

const redis = await startRedis();
afterAll(() => redis.close());
// Options with which a client of the app would misread the answers, and address other keys.
const single = await migrated(new Redis(redis.url, { keyPrefix: 'app:', stringNumbers: true, lazyConnect: true }));

const cluster = await startRedisCluster();
afterAll(() => cluster.close());
const many = await migrated(new Cluster(hostsIn(cluster.url)));

const sentinel = await startRedisSentinel();
afterAll(() => sentinel.close());
const name = /\/\/[^/]+\/([^?]+)/.exec(sentinel.url)?.[1];
const watched = await migrated(new Redis({ sentinels: hostsIn(sentinel.url), name }));

describe.each([
  ['one server', single],
  ['a Cluster', many],
])('the Redis adapter keeps the laws of the storage port for a client of %s', async (_what, client) => {
  const open = () => openAdapter({ client });
  const store: StorageAdapter = await open();
  afterAll(() => store.close());
  testLaws({ store, open });
});

test.each([
  ['one server', single],
  ['a Cluster', many],
  ['a server with Sentinels', watched],
])(
  'openAdapter({ client }) stores on the server of a client of %s, and leaves the client open',
  async (_what, client) => {
    const store = await openAdapter({ client });
    const record = freshRecord();
    expect(await store.commit([claim(record)])).toBeUndefined();
    expect(await readOne(store, record)).toMatchObject({ id: record.id });
    await store.close();
    await expect(store.ping()).rejects.toThrow('closed');
    expect(await client.set('of-the-app', '1')).toBe('OK');
  },
);
