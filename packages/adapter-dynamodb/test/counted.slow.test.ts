import { type ConsumedCapacity, openAdapter, openDynamoDbAdapter } from '@carnet/adapter-dynamodb';
import { startDynamoDb } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { expect, test } from 'vitest';
import { claim, consume, createStore, freshId, freshRecord, loginWrites, merge, put, remove, revoke } from './store.ts';

const server = beforeTests(() => startDynamoDb());
const consumed: ConsumedCapacity[] = [];
const store = beforeTests(async () =>
  openDynamoDbAdapter({ url: await createStore(server), onConsumed: (each) => consumed.push(each) }),
);

const unitsOf = (isRead: boolean): number =>
  consumed
    .filter(({ operation }) => /^(?:BatchGetItem|Query|Scan)$/.test(operation) === isRead)
    .reduce((sum, { units }) => sum + units, 0);

/** The requests that the server got, and the units that it has answered (`ReturnConsumedCapacity`). */
const count = async (work: () => Promise<unknown>) => {
  const before = await server.statistics();
  consumed.length = 0;
  await work();
  const after = await server.statistics();
  const calls = Object.entries(after.calls)
    .map(([operation, calls]) => [operation, calls - (before.calls[operation] ?? 0)] as const)
    .filter(([, calls]) => calls > 0);
  return {
    ...Object.fromEntries(calls),
    write: unitsOf(false),
    read: unitsOf(true),
  };
};

const login = async () => {
  const made = loginWrites();
  await store.commit(made.writes);
  return made;
};

type Costs = Readonly<Record<string, number>>;

const calls: Readonly<Record<string, { readonly costs: Costs; prepare(): Promise<() => Promise<unknown>> }>> = {
  'introspection (a token and its grant)': {
    costs: { BatchGetItem: 1, read: 2, write: 0 },
    prepare: async () => {
      const { refresh, grant } = await login();
      return () => store.read([refresh, grant]);
    },
  },
  'first login (a claim, three puts)': {
    costs: { TransactWriteItems: 1, write: 10, read: 0 },
    prepare: async () => () => store.commit(loginWrites().writes),
  },
  'refresh (a condition of the grant, a consume, two puts)': {
    costs: { TransactWriteItems: 1, write: 8, read: 0 },
    prepare: async () => {
      const { refresh, grantId, grant } = await login();
      const next = [freshRecord({ kind: 'refresh_token', grantId }), freshRecord({ grantId })];
      return () => store.commit([merge(grant), consume(refresh), ...next.map(put)]);
    },
  },
  'token without a grant (a put)': {
    costs: { PutItem: 1, write: 1, read: 0 },
    prepare: async () => () => store.commit([put(freshRecord({ kind: 'client_credentials' }))]),
  },
  'removal of a token': {
    costs: { DeleteItem: 1, write: 1, read: 0 },
    prepare: async () => () => store.commit([remove(freshRecord())]),
  },
  'logout (a merge, a consume, a removal)': {
    costs: { BatchGetItem: 1, TransactWriteItems: 1, write: 4, read: 2 },
    prepare: async () => {
      const [session, gone] = [freshRecord({ kind: 'session' }), freshRecord()];
      await store.commit([put(session), put(gone)]);
      return () => store.commit([merge(session, 'client'), consume(session), remove(gone)]);
    },
  },
  'page of clients': {
    costs: { Query: 1, read: 1, write: 0 },
    prepare: async () => () => store.list({ kind: 'client', limit: 10 }),
  },
  'page of the sessions of a subject': {
    costs: { Query: 1, BatchGetItem: 1, read: 2, write: 0 },
    prepare: async () => {
      const subject = freshId();
      await store.commit([put(freshRecord({ kind: 'session', subject }))]);
      return () => store.list({ kind: 'session', subject, limit: 10 });
    },
  },
  ping: { costs: { BatchGetItem: 1, read: 1, write: 0 }, prepare: async () => () => store.ping() },
};

test.for(Object.entries(calls))('a %s costs what the README lists', async ([, { costs, prepare }]) => {
  const call = await prepare();
  expect(await count(call)).toEqual(costs);
});

test('a refused claim costs as much as the write of the stored item, which no answer says', async () => {
  const record = freshRecord();
  await store.commit([claim(record)]);
  const before = await server.statistics();
  expect(await count(() => store.commit([claim(record)]))).toEqual({ TransactWriteItems: 1, write: 0, read: 0 });
  expect((await server.statistics()).writeUnits - before.writeUnits).toBe(2);
});

test('a revocation is one transaction, after which the space is freed', async () => {
  const { grantId, refresh } = await login();
  const other = await openAdapter({ url: await createStore(server) });
  await other.commit(loginWrites().writes);
  const before = await server.statistics();
  await store.commit([revoke(grantId)]);
  expect(await store.read([refresh])).toEqual([undefined]);
  await expect.poll(async () => (await server.statistics()).writeUnits - before.writeUnits).toBe(2 + 3 * 2 + 4);
  await other.close();
});

test('reads that meet share requests, each gets its own records, and the units stay the same', async () => {
  const logins = await Promise.all(Array.from({ length: 30 }, login));
  let found: unknown[] = [];
  const costs = await count(async () => {
    found = await Promise.all(logins.map(({ refresh, grant }) => store.read([refresh, grant])));
  });
  // The first one is sent at once, the others in as few requests as have 100 keys at most.
  expect(costs).toEqual({ BatchGetItem: 3, read: 60, write: 0 });
  expect(found).toMatchObject(logins.map(({ refresh, grant }) => [{ id: refresh.id }, { id: grant.id }]));
});

test('a read that DynamoDB refuses fails alone', async () => {
  const { refresh } = await login();
  const tooLong = { kind: 'access_token', id: 'x'.repeat(3_000) } as const;
  const reads = await Promise.allSettled([[refresh], [refresh], [tooLong], [refresh]].map((keys) => store.read(keys)));
  expect(reads.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
});

test('empty reads and commits cost nothing', async () => {
  expect(await count(() => Promise.all([store.read([]), store.commit([])]))).toEqual({ read: 0, write: 0 });
});

test('a sweep that DynamoDB does itself costs nothing', async () => {
  expect(await count(() => store.sweep(100))).toEqual({ read: 0, write: 0 });
});
