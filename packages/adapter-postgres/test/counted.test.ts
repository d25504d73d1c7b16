import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresAdapter } from '../src/index.ts';
import { countStatements, startCountingPostgres } from './count.ts';
import { consume, createStore, freshId, freshRecord, loginWrites, put, revoke } from './store.ts';

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

const login = async () => {
  const made = loginWrites();
  await store.commit(made.writes);
  return made;
};

const calls: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
  'read of twenty keys': async () => () => store.read(Array.from({ length: 20 }, () => freshRecord())),
  'first login (a claim, three puts)': async () => () => store.commit(loginWrites().writes),
  'refresh (a consume, two puts)': async () => {
    const { refresh, grantId } = await login();
    const writes = [
      consume(refresh),
      put(freshRecord({ kind: 'refresh_token', grantId })),
      put(freshRecord({ grantId })),
    ];
    return () => store.commit(writes);
  },
  revocation: async () => {
    const { grantId } = await login();
    return () => store.commit([revoke(grantId)]);
  },
  'logout (a consume, a merge, a remove, a revoke, a replacement)': async () => {
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
  'page of clients': async () => () => store.list({ kind: 'client', limit: 10 }),
  sweep: async () => () => store.sweep(10),
  ping: async () => () => store.ping(),
};

test.for(Object.entries(calls))('a %s is one statement', async ([, prepare]) => {
  const call = await prepare();
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
  const { writes } = loginWrites();
  await store.commit(writes);
  expect(await count(() => store.commit(writes))).toBeLessThanOrEqual(2);
});
