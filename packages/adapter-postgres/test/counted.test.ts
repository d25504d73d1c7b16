import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countedCalls, login } from '../../adapter-contract/test/counted-calls.ts';
import { openPostgresAdapter } from '../src/index.ts';
import { countStatements, startCountingPostgres } from './count.ts';
import { createStore, freshRecord } from './store.ts';

type Store = ReturnType<typeof openPostgresAdapter>;

const server = beforeTests(startCountingPostgres);
let store: Store;
let url: string;

beforeAll(async () => {
  url = await createStore(server);
  store = openPostgresAdapter({ url });
});
afterAll(() => store.close());

const count = (work: () => Promise<unknown>) => countStatements(server.url, url, work);

test.for(Object.entries(countedCalls))('a %s is one statement', async ([, prepare]) => {
  const call = await prepare(store);
  expect(await count(call)).toBe(1);
});

test('what there is nothing to do for is no statement', async () => {
  expect(await count(() => Promise.all([store.read([]), store.commit([])]))).toBe(0);
});

test('a connection costs no statement', async () => {
  const fresh = openPostgresAdapter({ url });
  expect(await count(() => fresh.read([freshRecord()]))).toBe(1);
  await fresh.close();
});

test('a conflict takes a second statement, which names it', async () => {
  const { writes } = await login(store);
  expect(await count(() => store.commit(writes))).toBeLessThanOrEqual(2);
});
