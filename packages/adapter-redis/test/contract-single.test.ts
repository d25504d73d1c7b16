import { laws, reasonToSkip } from '@carnet/adapter-contract/laws';
import { openAdapter } from '@carnet/adapter-redis';
import { openTestRedis } from '@carnet/test-servers';
import { afterAll, describe, test } from 'vitest';
import { migrateUp } from './data-set.ts';

const url = await openTestRedis();
await migrateUp(url);
const open = () => openAdapter({ url });
const store = await open();
afterAll(() => store.close());

describe('the Redis adapter keeps the laws of the storage port on one server', () => {
  for (const law of laws) {
    const reason = reasonToSkip(law, store.capabilities);
    test.skipIf(reason)(reason ? `${law.name} (${reason})` : law.name, () => law.check({ store, open }));
  }
});
