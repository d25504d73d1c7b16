import { openAdapter } from '@carnet/adapter-datastore';
import { startDatastore } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterEach, expect, test } from 'vitest';
import { claim, consume, createStore, freshId, freshRecord, loginWrites, put, revoke } from './store.ts';

const server = beforeTests(() => startDatastore());
const store = beforeTests(() => openAdapter({ url: createStore(server) }));
afterEach(() => server.clearFaults());

const commitsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  const before = (await server.statistics()).calls.Commit;
  await work();
  return (await server.statistics()).calls.Commit - before;
};

test.for(['UNAVAILABLE', 'INTERNAL', 'ABORTED'] as const)('a read is repeated after %s', async (code) => {
  const record = freshRecord();
  await store.commit([put(record)]);
  await server.failNext({ method: 'Lookup', code, times: 2 });
  expect((await store.read([record]))[0]?.id).toBe(record.id);
});

test('a service that is unavailable for long is asked four times', async () => {
  await server.failNext({ method: 'Lookup', code: 'UNAVAILABLE', times: 100 });
  const before = (await server.statistics()).calls.Lookup;
  await expect(store.read([freshRecord()])).rejects.toMatchObject({ code: 14 });
  expect((await server.statistics()).calls.Lookup - before).toBe(4);
});

test('commits that were aborted are repeated', async () => {
  const { writes, refresh } = loginWrites();
  await server.failNext({ method: 'Commit', code: 'ABORTED', times: 3 });
  expect(await store.commit(writes)).toBeUndefined();
  await server.failNext({ method: 'Commit', code: 'ABORTED', times: 3 });
  expect(await store.commit([consume(refresh)])).toBeUndefined();
  expect((await store.read([refresh]))[0]?.consumedAt).not.toBeNull();
});

test('a commit whose effect is the same twice is repeated when its answer is lost', async () => {
  const { writes, code, grantId } = loginWrites();
  await store.commit(writes);
  const client = freshRecord({ kind: 'client' });
  for (const write of [put(client), revoke(grantId)]) {
    await server.failNext({ method: 'Commit', code: 'UNAVAILABLE', applied: true });
    expect(await store.commit([write])).toBeUndefined();
  }
  expect((await store.read([client, code])).map((found) => found?.id)).toEqual([client.id, undefined]);
});

const conditional = {
  'a claim': async () => {
    const { writes, code } = loginWrites();
    return { writes, changed: code };
  },
  'a consume': async () => {
    const { writes, refresh, grantId } = loginWrites();
    await store.commit(writes);
    const next = freshRecord({ kind: 'refresh_token', grantId });
    return { writes: [consume(refresh), put(next)], changed: next };
  },
  'a put for a grant': async () => {
    const record = freshRecord({ grantId: freshId() });
    return { writes: [put(record)], changed: record };
  },
};

test.for(Object.entries(conditional))(
  '%s whose answer was lost is found by its id, and not sent again',
  async ([, make]) => {
    const { writes, changed } = await make();
    await server.failNext({ method: 'Commit', code: 'UNAVAILABLE', applied: true });
    expect(await commitsDuring(async () => expect(await store.commit(writes)).toBeUndefined())).toBe(1);
    expect((await store.read([changed]))[0]?.id).toBe(changed.id);
  },
);

test.for(Object.entries(conditional))('%s that was not carried out throws, and is not sent again', async ([, make]) => {
  const { writes, changed } = await make();
  await server.failNext({ method: 'Commit', code: 'UNAVAILABLE' });
  expect(await commitsDuring(() => expect(store.commit(writes)).rejects.toMatchObject({ code: 14 }))).toBe(1);
  expect(await store.read([changed])).toEqual([undefined]);
  // The client's own repetition succeeds.
  expect(await store.commit(writes)).toBeUndefined();
});

test('a claim that the service carried out and reported as aborted does not conflict with itself', async () => {
  const { writes, code } = loginWrites();
  await server.failNext({ method: 'Commit', code: 'ABORTED', applied: true });
  expect(await store.commit(writes)).toBeUndefined();
  expect(await store.commit([claim(code)])).toMatchObject({ reason: 'exists' });
});

test('a transaction whose query fails leaves no lock', async () => {
  const session = freshRecord({ kind: 'session' });
  await store.commit([put(session)]);
  await server.failNext({ method: 'RunQuery', code: 'PERMISSION_DENIED' });
  await expect(store.commit([consume(session), revoke(freshId())])).rejects.toThrow('roles/datastore.user');
  expect(await store.commit([put(session)])).toBeUndefined();
});
