import { beforeAll } from 'vitest';
import { describeRaces } from './races.ts';
import { startServers, testStores } from './test-stores.ts';

beforeAll(startServers);

// The other stores are those of `races.test.ts`.
for (const name of ['a Redis Cluster', 'Postgres and a Redis Cluster'] as const) describeRaces(name, testStores[name]);
