import { openAdapter } from '@carnet/adapter-datastore';
import { startDatastore } from '@carnet/test-servers';
import { afterAll, describe } from 'vitest';
import { testLaws } from '../../adapter-contract/test/laws.ts';
import { createStore } from './store.ts';

/** The emulator of Google, if the environment names one; otherwise a server of ours. */
const emulatorHost = process.env.DATASTORE_EMULATOR_HOST;
const server = emulatorHost
  ? { host: emulatorHost, projectId: process.env.DATASTORE_PROJECT_ID ?? 'carnet-test', close: async () => {} }
  : await startDatastore();
/** The emulator makes a commit wait for 2 s where another transaction has a lock, before it aborts one. */
const url = `${createStore(server)}${emulatorHost ? '&timeout=60000' : ''}`;
const open = () => openAdapter({ url });
const store = await open();
afterAll(async () => {
  await store.close();
  await server.close();
});

describe(`the Datastore adapter keeps the laws of the storage port on ${emulatorHost ?? 'a server of ours'}`, () => {
  testLaws({ store, open });
});
