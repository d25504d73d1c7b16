import { openAdapter } from '@carnet/adapter-postgres';
import { openTestPostgres } from '@carnet/test-servers';
import { afterAll, describe } from 'vitest';
import { openingBound, testLaws } from '../../adapter-contract/test/laws.ts';
import { createStore } from './store.ts';

const server = await openTestPostgres();
const url = await createStore(server);
const open = openingBound(() => openAdapter({ url }));
const store = await open();
afterAll(async () => {
  await store.close();
  await server.close();
});

describe('the Postgres adapter of one issuer keeps the laws of the storage port', () => {
  testLaws({ store, open });
});
