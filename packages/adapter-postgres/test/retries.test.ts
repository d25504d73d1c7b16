import type { StorageAdapter } from '@carnet/adapter-contract';
import { startPostgres, startProxy } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresAdapter } from '../src/index.ts';
import {
  claim,
  consume,
  createStore,
  freshId,
  freshRecord,
  put,
  revoke,
  terminate,
  untilWaiting,
  whileLocked,
  withClient,
} from './store.ts';

const server = beforeTests(() => startPostgres());
let url: string;
let store: StorageAdapter;

beforeAll(async () => {
  url = await createStore(server);
  store = openPostgresAdapter({ url });
});
afterAll(() => store.close());

const putOne = async (record = freshRecord()) => {
  await store.commit([put(record)]);
  return record;
};

test('a read goes on after every session was ended', async () => {
  const record = await putOne();
  for (let round = 0; round < 5; round++) {
    await terminate(url, 'all');
    expect((await store.read([record]))[0]?.id).toBe(record.id);
  }
});

test('a commit that comes to the same when repeated goes on after its session was ended', async () => {
  const record = await putOne(freshRecord({ kind: 'client' }));
  await whileLocked(url, record.id, async (client) => {
    const committed = store.commit([put({ ...record, payload: '"new"' })]);
    await untilWaiting(url);
    await terminate(url, 'waiting');
    await untilWaiting(url);
    await client.query('rollback');
    expect(await committed).toBeUndefined();
  });
  expect((await store.read([record]))[0]?.payload).toBe('"new"');
});

test.for(['consume', 'put for a grant'])('a commit whose outcome is not known throws: %s', async (type) => {
  const record = await putOne(freshRecord({ grantId: freshId() }));
  await whileLocked(url, record.id, async () => {
    const committed = store.commit([type === 'consume' ? consume(record) : put(record)]).catch((error) => error);
    await untilWaiting(url);
    await terminate(url, 'waiting');
    expect(await committed).toMatchObject({ code: '57P01' });
  });
  expect((await store.read([record]))[0]?.consumedAt).toBeNull();
});

test('a commit whose answer is lost is not sent again', async () => {
  const proxy = await startProxy({ port: server.port });
  const proxied = openPostgresAdapter({ url: url.replace(`:${server.port}/`, `:${proxy.port}/`) });
  await proxied.read([freshRecord()]);
  await proxy.set({ delayMs: 60_000 });
  const record = freshRecord();
  const committed = proxied.commit([claim(record)]).catch((error: unknown) => error);
  while ((await store.read([record]))[0] === undefined);
  await proxy.set('refuse');
  expect(await committed).toBeInstanceOf(Error);
  await proxied.close();
  await proxy.close();
});

test('a deadlock ends in the commit being done', async () => {
  const grantId = freshId();
  const named = (id: string) => freshRecord({ grantId, id: `${id}${freshId()}` });
  const [first, second] = [named('a'), named('b')];
  await store.commit([put(first), put(second)]);
  await whileLocked(url, second.id, async (client) => {
    // It looks for deadlocks later than the adapter's session, so that it is the latter which is chosen.
    await client.query("set local deadlock_timeout = '1min'");
    const committed = store.commit([consume(first), consume(second)]);
    await untilWaiting(url);
    await client.query('select from carnet_record where id = $1 for update', [first.id]);
    await client.query('rollback');
    expect(await committed).toBeUndefined();
  });
  const { rows } = await withClient(server.url, (client) =>
    client.query("select datname from pg_stat_database where datname like 'carnet_%' and deadlocks > 0"),
  );
  // One or more: the adapter may try again before this session's rollback.
  expect(rows).toHaveLength(1);
  for (const found of await store.read([first, second])) expect(found?.consumedAt).not.toBeNull();
});

test('a revocation that ran into a rotation is repeated, and finds the successor', async () => {
  const grantId = freshId();
  const [old, successor] = [await putOne(freshRecord({ grantId })), freshRecord({ grantId })];
  await withClient(url, async (client) => {
    await client.query('begin');
    await client.query('update carnet_record set consumed_at = now() where id = $1', [old.id]);
    await client.query(`insert into carnet_record (place, kind, id, grant_id, payload) values ($1, $2, $3, $1, '{}')`, [
      grantId,
      successor.kind,
      successor.id,
    ]);
    const revoked = store.commit([revoke(grantId)]);
    await untilWaiting(url);
    await client.query('commit');
    expect(await revoked).toBeUndefined();
  });
  expect(await store.read([old, successor])).toEqual([undefined, undefined]);
});
