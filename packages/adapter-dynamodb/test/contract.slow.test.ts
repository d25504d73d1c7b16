import { openAdapter } from '@carnet/adapter-dynamodb';
import { startDynamoDb } from '@carnet/test-servers';
import { afterAll, describe } from 'vitest';
import { testLaws } from '../../adapter-contract/test/laws.ts';
import { createStore } from './store.ts';

const server = await startDynamoDb();
const url = await createStore(server, '&expiry=sweep');
const open = () => openAdapter({ url });
const store = await open();
afterAll(async () => {
  await store.close();
  await server.close();
});

describe('the DynamoDB adapter keeps the laws of the storage port', () => {
  testLaws({ store, open });
});
