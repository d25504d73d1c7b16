import { laws, reasonToSkip } from '@carnet/adapter-contract/laws';
import { openAdapter } from '@carnet/adapter-postgres';
import { openTestPostgres } from '@carnet/test-servers';
import { afterAll, describe, test } from 'vitest';
import { createStore } from './store.ts';

const server = await openTestPostgres();
const url = await createStore(server);
const open = () => openAdapter({ url });
const store = await open();
afterAll(async () => {
  await store.close();
  await server.close();
});

describe('the Postgres adapter keeps the laws of the storage port', () => {
  for (const law of laws) {
    const reason = reasonToSkip(law, store.capabilities);
    test.skipIf(reason)(reason ? `${law.name} (${reason})` : law.name, () => law.check({ store, open }));
  }
});
