import { openAdapter } from '@carnet/adapter-redis';
import { startRedisCluster } from '@carnet/test-servers';
import { afterAll, describe } from 'vitest';
import { openingBound, testLaws } from '../../adapter-contract/test/laws.ts';

const cluster = await startRedisCluster();
afterAll(() => cluster.close());
const open = openingBound(() => openAdapter({ url: cluster.url }));
const store = await open();
afterAll(() => store.close());

describe('the Redis adapter of one issuer keeps the laws of the storage port on a Cluster of six', () => {
  testLaws({ store, open });
});
