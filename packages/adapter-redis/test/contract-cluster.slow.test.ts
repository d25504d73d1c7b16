import { laws, reasonToSkip } from '@carnet/adapter-contract/laws';
import { openAdapter } from '@carnet/adapter-redis';
import { startRedisCluster } from '@carnet/test-servers';
import { afterAll, describe, test } from 'vitest';

const cluster = await startRedisCluster();
afterAll(() => cluster.close());
const open = () => openAdapter({ url: cluster.url });
const store = await open();
afterAll(() => store.close());

describe('the Redis adapter keeps the laws of the storage port on a Cluster of six', () => {
  for (const law of laws) {
    const reason = reasonToSkip(law, store.capabilities);
    test.skipIf(reason)(reason ? `${law.name} (${reason})` : law.name, () => law.check({ store, open }));
  }
});
