import { startMariadb } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMysqlAdapter } from '../src/index.ts';
import { consume, createStore, freshId, freshRecord, loginWrites, put, query, revoke } from './store.ts';

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

const login = async () => {
  const made = loginWrites();
  await store.commit(made.writes);
  return made;
};

const newTokens = (grantId: string) => [
  put(freshRecord({ kind: 'refresh_token', grantId })),
  put(freshRecord({ grantId })),
];

/** Each call, and how many statements it is. Several are one round trip: `start transaction`, ..., `commit`. */
const calls: Readonly<Record<string, readonly [number, () => Promise<() => Promise<unknown>>]>> = {
  'read of twenty keys': [1, async () => () => store.read(Array.from({ length: 20 }, () => freshRecord()))],
  'first login (a claim, three puts)': [1, async () => () => store.commit(loginWrites().writes)],
  'refresh (a consume, two puts)': [
    5,
    async () => {
      const { refresh, grantId } = await login();
      return () => store.commit([consume(refresh), ...newTokens(grantId)]);
    },
  ],
  revocation: [
    4,
    async () => {
      const { grantId } = await login();
      return () => store.commit([revoke(grantId)]);
    },
  ],
  'logout (a consume, a merge, a remove, a revoke, a replacement)': [
    8,
    async () => {
      const [session, other, gone] = [freshRecord({ kind: 'session' }), freshRecord(), freshRecord()];
      await store.commit([put(session), put(other), put(gone)]);
      return () =>
        store.commit([
          { type: 'merge', key: session, members: ['client'] },
          consume(session),
          { type: 'remove', key: gone },
          revoke(freshId()),
          { type: 'put', record: other, onlyIfPresent: true },
        ]);
    },
  ],
  'page of clients': [1, async () => () => store.list({ kind: 'client', limit: 10 })],
  'page of a scan': [1, async () => () => store.scan({ limit: 10 })],
  sweep: [2, async () => () => store.sweep(10)],
};

describe('counted by the server', () => {
  test.for(Object.entries(calls))('a %s takes its statements', async ([, [statements, prepare]]) => {
    const call = await prepare();
    expect(await count('statements', call)).toBe(statements);
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
    const { writes } = await login();
    expect(await count('statements', () => store.commit(writes))).toBeLessThanOrEqual(3);
  });
});
