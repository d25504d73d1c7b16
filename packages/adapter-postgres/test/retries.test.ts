import type { StorageAdapter } from '@carnet/adapter-contract';
import { startPostgres, startProxy } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresAdapter } from '../src/index.ts';
import { claim, consume, createStore, freshId, freshRecord, put, revoke, untilWaiting, withClient } from './store.ts';

const server = beforeTests(() => startPostgres());
let url: string;
let store: StorageAdapter;

beforeAll(async () => {
  url = await createStore(server);
  store = openPostgresAdapter({ url });
});
afterAll(() => store.close());

/** Ends the sessions of the adapter, as an administrator does. */
const terminate = (client: pg.Client, which = 'true') =>
  client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name <> 'test' and ${which}`,
  );

const terminateWaiting = (client: pg.Client) => terminate(client, "wait_event_type = 'Lock'");

/** Whoever changes the record waits until `release`. */
const withLocked = (id: string, use: (client: pg.Client) => Promise<unknown>) =>
  withClient(url, async (client) => {
    await client.query('begin');
    await client.query('select from carnet_record where id = $1 for update', [id]);
    await use(client);
    await client.query('rollback');
  });

const putOne = async (record = freshRecord()) => {
  await store.commit([put(record)]);
  return record;
};

test('a read goes on after every session was ended', async () => {
  const record = await putOne();
  for (let round = 0; round < 5; round++) {
    await withClient(url, (client) => terminate(client));
    expect((await store.read([record]))[0]?.id).toBe(record.id);
  }
});

test('a commit that comes to the same when repeated goes on after its session was ended', async () => {
  const record = await putOne(freshRecord({ kind: 'client' }));
  await withLocked(record.id, async (client) => {
    const committed = store.commit([put({ ...record, payload: '"new"' })]);
    await untilWaiting(url);
    await withClient(url, terminateWaiting);
    await untilWaiting(url);
    await client.query('rollback');
    expect(await committed).toBeUndefined();
  });
  expect((await store.read([record]))[0]?.payload).toBe('"new"');
});

test.for(['consume', 'put for a grant'])('a commit whose outcome is not known throws: %s', async (type) => {
  const record = await putOne(freshRecord({ grantId: freshId() }));
  await withLocked(record.id, async () => {
    const committed = store.commit([type === 'consume' ? consume(record) : put(record)]).catch((error) => error);
    await untilWaiting(url);
    await withClient(url, terminateWaiting);
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
  const [first, second] = ['a', 'b'].map((id) => freshRecord({ grantId, id: `${id}${freshId()}` }));
  if (!first || !second) throw new Error('There are two.');
  await store.commit([put(first), put(second)]);
  await withLocked(second.id, async (client) => {
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
