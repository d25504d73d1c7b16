import { openAdapter } from '@carnet/adapter-datastore';
import { startDatastore } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { expect, test } from 'vitest';
import { claim, consume, createStore, freshId, freshRecord, loginWrites, put, revoke } from './store.ts';

const server = beforeTests(() => startDatastore());
const store = beforeTests(() => openAdapter({ url: createStore(server) }));

/** The requests that the work sends, by method. */
const countCalls = async (work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> => {
  const before = (await server.statistics()).calls;
  await work();
  const after = Object.entries((await server.statistics()).calls);
  return Object.fromEntries(
    after
      .map(([method, calls]) => [method, calls - before[method as keyof typeof before]] as const)
      .filter(([, calls]) => calls > 0),
  );
};

const login = async () => {
  const made = loginWrites();
  await store.commit(made.writes);
  return made;
};

type Counts = Readonly<Record<string, number>>;

const calls: Readonly<Record<string, { readonly costs: Counts; prepare(): Promise<() => Promise<unknown>> }>> = {
  'read of twenty keys': {
    costs: { Lookup: 1 },
    prepare: async () => () => store.read(Array.from({ length: 20 }, () => freshRecord())),
  },
  'first login (a claim, three puts)': {
    costs: { Commit: 1 },
    prepare: async () => () => store.commit(loginWrites().writes),
  },
  'removal of two records': {
    costs: { Commit: 1 },
    prepare: async () => () =>
      store.commit([
        { type: 'remove', key: freshRecord() },
        { type: 'remove', key: freshRecord() },
      ]),
  },
  'refresh (a consume, two puts)': {
    costs: { Lookup: 1, Commit: 1 },
    prepare: async () => {
      const { refresh, grantId } = await login();
      const next = [freshRecord({ kind: 'refresh_token', grantId }), freshRecord({ grantId })];
      return () => store.commit([consume(refresh), ...next.map(put)]);
    },
  },
  revocation: {
    costs: { RunQuery: 1, Commit: 1 },
    prepare: async () => {
      const { grantId } = await login();
      return () => store.commit([revoke(grantId)]);
    },
  },
  'logout (a merge, a consume, a removal, a revocation)': {
    costs: { Lookup: 1, RunQuery: 1, Commit: 1 },
    prepare: async () => {
      const [session, gone] = [freshRecord({ kind: 'session' }), freshRecord()];
      await store.commit([put(session), put(gone)]);
      const { grantId } = await login();
      return () =>
        store.commit([
          { type: 'merge', key: session, members: ['client'] },
          consume(session),
          { type: 'remove', key: gone },
          revoke(grantId),
        ]);
    },
  },
  'claim of a record that exists': {
    costs: { Lookup: 1, Commit: 1 },
    prepare: async () => {
      const { code } = await login();
      return () => store.commit([claim(code)]);
    },
  },
  'page of clients': {
    costs: { RunQuery: 1 },
    prepare: async () => () => store.list({ kind: 'client', limit: 10 }),
  },
  ping: { costs: { Lookup: 1 }, prepare: async () => () => store.ping() },
};

test.for(Object.entries(calls))('a %s costs the requests that the README lists', async ([, { costs, prepare }]) => {
  const call = await prepare();
  expect(await countCalls(call)).toEqual(costs);
});

test('a sweep that finds nothing costs a query for each of its eight ranges', async () => {
  expect(await countCalls(() => store.sweep(100))).toEqual({ RunQuery: 8 });
});

test('a sweep that a TTL policy replaces costs nothing', async () => {
  const other = await openAdapter({ url: `${createStore(server)}&expiry=ttl` });
  expect(await countCalls(() => other.sweep(100))).toEqual({});
  await other.close();
});

test('empty reads and commits cost nothing', async () => {
  expect(await countCalls(() => Promise.all([store.read([]), store.commit([])]))).toEqual({});
});

test('a connection costs no request', async () => {
  const fresh = await openAdapter({ url: createStore(server) });
  expect(await countCalls(() => fresh.read([{ kind: 'grant', id: freshId() }]))).toEqual({ Lookup: 1 });
  await fresh.close();
});

test('fifty revocations of a grant at once are two transactions at most', async () => {
  const { grantId, refresh } = await login();
  const counts = await countCalls(() => Promise.all(Array.from({ length: 50 }, () => store.commit([revoke(grantId)]))));
  expect(counts.RunQuery).toBeLessThanOrEqual(2);
  expect(await store.read([refresh])).toEqual([undefined]);
});
