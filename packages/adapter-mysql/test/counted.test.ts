import { startMariadb } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CountedCall, countedCalls, login } from '../../adapter-contract/test/counted-calls.ts';
import { openMysqlAdapter } from '../src/index.ts';
import { createStore, freshRecord, loginWrites, query } from './store.ts';

type Store = ReturnType<typeof openMysqlAdapter>;

const server = beforeTests(() => startMariadb({ settings: { userstat: 'on' } }));
let store: Store;
let url: string;

beforeAll(async () => {
  url = await createStore(server);
  store = openMysqlAdapter({ url });
  // It has a connection.
  await store.read([freshRecord()]);
});
afterAll(() => store.close());

const counters = {
  statements: "show global status like 'Questions'",
  rows: "select rows_changed as Value from information_schema.table_statistics where table_name = 'carnet_record'",
} as const;

const readCounter = async (counter: keyof typeof counters): Promise<number> =>
  Number((await query(url, counters[counter]))[0]?.Value);

/** How much a counter of the server rises meanwhile. A look is a statement of its own. */
const count = async (counter: keyof typeof counters, work: () => Promise<unknown>): Promise<number> => {
  const before = await readCounter(counter);
  await work();
  return (await readCounter(counter)) - before - (counter === 'statements' ? 1 : 0);
};

/** How many statements each call is. Several are one round trip: `start transaction`, ..., `commit`. */
const statements: Readonly<Record<CountedCall, number>> = {
  'read of twenty keys': 1,
  'first login (a claim, three puts)': 1,
  'refresh (a consume, two puts)': 5,
  revocation: 4,
  'logout (a consume, a merge, a remove, a revoke, a replacement)': 8,
  'page of clients': 1,
  'page of a scan': 1,
  sweep: 2,
  ping: 5,
};

describe('counted by the server', () => {
  test.for(Object.keys(statements) as CountedCall[])('a %s takes its statements', async (name) => {
    const call = await countedCalls[name](store);
    expect(await count('statements', call)).toBe(statements[name]);
  });

  test('a first login is four rows', async () => {
    expect(await count('rows', () => store.commit(loginWrites().writes))).toBe(4);
  });

  test('an empty read and an empty commit are no statement', async () => {
    expect(await count('statements', () => Promise.all([store.read([]), store.commit([])]))).toBe(0);
  });

  test('a connection costs four statements, in two round trips', async () => {
    const fresh = openMysqlAdapter({ url });
    expect(await count('statements', () => fresh.read([freshRecord()]))).toBe(5);
    await fresh.close();
  });

  test('a conflict of a login takes a second statement, which names it', async () => {
    const { writes } = await login(store);
    expect(await count('statements', () => store.commit(writes))).toBeLessThanOrEqual(3);
  });
});
