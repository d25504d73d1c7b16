import type { StorageAdapter } from '@carnet/adapter-contract';
import { startMariadb, startProxy } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import type { Connection } from 'mysql2/promise';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMysqlAdapter } from '../src/index.ts';
import { claim, consume, createStore, freshId, freshRecord, put, query, revoke, withConnection } from './store.ts';

const server = beforeTests(() => startMariadb());
let url: string;
let store: StorageAdapter;

beforeAll(async () => {
  url = await createStore(server);
  store = openMysqlAdapter({ url: `${url}?timeout=4000` });
});
afterAll(() => store.close());

const putOne = async (record = freshRecord()) => {
  await store.commit([put(record)]);
  return record;
};

const waiting = "select trx_mysql_thread_id as id from information_schema.innodb_trx where trx_state = 'LOCK WAIT'";

/** The sessions that wait for a lock, once there is one. */
const untilWaiting = async (): Promise<readonly unknown[]> => {
  for (;;) {
    const rows = await query(url, waiting);
    if (rows.length > 0) return rows.map(({ id }) => id);
  }
};

const killSessions = async (): Promise<void> => {
  const sessions = await query(
    url,
    'select id from information_schema.processlist where id <> connection_id() and db = database()',
  );
  for (const { id } of sessions) await query(url, `kill ${id}`);
};

/** The transaction of another program holds the record. */
const whileLocked = (id: string, use: (connection: Connection) => Promise<unknown>): Promise<void> =>
  withConnection(url, async (connection) => {
    await connection.query('start transaction');
    await connection.query('select 1 from carnet_record where id = ? for update', [id]);
    await use(connection);
    await connection.query('rollback');
  });

test('a read succeeds after every session was ended', async () => {
  const record = await putOne();
  for (let round = 0; round < 5; round++) {
    await killSessions();
    expect((await store.read([record]))[0]?.id).toBe(record.id);
  }
});

test.for(['consume', 'put for a grant'])('a commit whose outcome is unknown throws: %s', async (type) => {
  const record = await putOne(freshRecord({ grantId: freshId() }));
  await whileLocked(record.id, async () => {
    const committed = store.commit([type === 'consume' ? consume(record) : put(record)]).catch((error) => error);
    // A session that a test before this one ended may still be in the list.
    for (const id of await untilWaiting()) await query(url, `kill ${id}`).catch(() => {});
    expect(await committed).toBeInstanceOf(Error);
  });
  expect((await store.read([record]))[0]?.consumedAt).toBeNull();
});

test('a commit whose answer is lost is not sent again', async () => {
  const proxy = await startProxy({ port: server.port });
  const proxied = openMysqlAdapter({ url: url.replace(`:${server.port}/`, `:${proxy.port}/`) });
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

test('a lock that is not released fails the commit after a second attempt, and the connection is usable', async () => {
  const record = await putOne();
  await whileLocked(record.id, () => expect(store.commit([consume(record)])).rejects.toMatchObject({ errno: 1205 }));
  expect(await store.commit([consume(record)])).toBeUndefined();
});

test('a commit that is the victim of a deadlock is carried out at the second attempt', async () => {
  const named = (id: string) => freshRecord({ id: `${id}${freshId()}` });
  const [first, second] = [named('a'), named('b')];
  const lock = "select 1 from carnet_record where place = ? and kind = 'access_token' and id = ? for update";
  await store.commit([put(first), put(second)]);
  await query(url, 'create table weight (n int)');
  await withConnection(url, async (connection) => {
    await connection.query('start transaction');
    // InnoDB ends the transaction that has changed fewer rows.
    await connection.query(`insert into weight select seq from seq_1_to_100`);
    await connection.query(lock, [second.id, second.id]);
    const committed = store.commit([put({ ...first, payload: '"new"' }), put({ ...second, payload: '"new"' })]);
    await untilWaiting();
    await connection.query(lock, [first.id, first.id]);
    await connection.query('rollback');
    expect(await committed).toBeUndefined();
  });
  expect(Number((await query(url, "show global status like 'Innodb_deadlocks'"))[0]?.Value)).toBeGreaterThan(0);
  for (const found of await store.read([first, second])) expect(found?.payload).toBe('"new"');
});

test('a revocation that meets a rotation waits for it, and finds the successor before the record', async () => {
  const grantId = freshId();
  const old = await putOne(freshRecord({ grantId, id: `b${freshId()}` }));
  const successor = freshRecord({ grantId, id: `a${freshId()}` });
  await withConnection(url, async (connection) => {
    await connection.query('set transaction isolation level read committed');
    await connection.query('start transaction');
    await connection.query('update carnet_record set consumed_at = 1 where id = ?', [old.id]);
    const revoked = store.commit([revoke(grantId)]);
    await untilWaiting();
    await connection.query(
      "insert into carnet_record (place, kind, id, in_grant, is_claim, payload) values (?, ?, ?, 1, 0, '{}')",
      [grantId, successor.kind, successor.id],
    );
    await connection.query('commit');
    expect(await revoked).toBeUndefined();
  });
  expect(await store.read([old, successor])).toEqual([undefined, undefined]);
});
