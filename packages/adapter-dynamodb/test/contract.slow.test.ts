import { openAdapter } from '@carnet/adapter-dynamodb';
import { startDynamoDb } from '@carnet/test-servers';
import { afterAll, describe } from 'vitest';
import { testLaws } from '../../adapter-contract/test/laws.ts';
import { createStore } from './store.ts';

/** A server that is there, if the environment names one: DynamoDB Local, or the service. Otherwise one of ours. */
const endpoint = process.env.CARNET_DYNAMODB_ENDPOINT;
const server = endpoint
  ? { url: (table: string) => `dynamodb://eu-west-1/${table}?endpoint=${endpoint}`, close: async () => {} }
  : await startDynamoDb();
const url = await createStore(server, '&expiry=sweep');
const open = () => openAdapter({ url });
const store = await open();
afterAll(async () => {
  await store.close();
  await server.close();
});

describe(`the DynamoDB adapter keeps the laws of the storage port on ${endpoint ?? 'a server of ours'}`, () => {
  testLaws({ store, open });
});
