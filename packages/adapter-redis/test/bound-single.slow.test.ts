import { openAdapter } from '@carnet/adapter-redis';
import { openTestRedis } from '@carnet/test-servers';
import { afterAll, describe } from 'vitest';
import { openingBound, testLaws } from '../../adapter-contract/test/laws.ts';
import { migrateUp } from './data-set.ts';

const url = await openTestRedis();
await migrateUp(url);
const open = openingBound(() => openAdapter({ url }));
const store = await open();
afterAll(() => store.close());

describe('the Redis adapter of one issuer keeps the laws of the storage port on one server', () => {
  testLaws({ store, open });
});
