import { openTestRedis } from '@carnet/test-servers';
import { beforeAll } from 'vitest';
import { describeRaces } from './races.ts';
import { startServers, testStores } from './test-stores.ts';

beforeAll(startServers);

// SQLite and Postgres are in `races.test.ts`.
describeRaces('Redis', async () => ({ storage: { default: await openTestRedis() } }));
for (const name of ['MariaDB', 'a Redis Cluster', 'Postgres and a Redis Cluster'] as const)
  describeRaces(name, testStores[name]);
