import { StoreUnfitError } from '@carnet/adapter-contract';
import { startMariadb } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { openAdapter, openMysqlAdapter } from '../src/index.ts';
import {
  claim,
  createStore,
  freshId,
  freshRecord,
  merge,
  put,
  query,
  remove,
  revoke,
  withMigrator,
  withStore,
} from './store.ts';

const server = beforeTests(() => startMariadb({ settings: { 'log-bin': 'bin', 'sync-binlog': '1' } }));
let url: string;
beforeAll(async () => {
  url = await createStore(server);
});

const undo: string[] = [];
afterEach(async () => {
  for (const statement of undo.splice(0)) await query(url, statement);
});

/** Until the end of the test. */
const setGlobal = async (name: string, value: string, before: string): Promise<void> => {
  await query(url, `set global ${name} = ${value}`);
  undo.push(`set global ${name} = ${before}`);
};

test('a server with the defaults of MariaDB is fit', async () => {
  await withStore(url, (store) => store.ping());
});

test.for([
  ['innodb_flush_log_at_trx_commit', '2', '1'],
  ['sync_binlog', '0', '1'],
  ['binlog_format', "'STATEMENT'", "'MIXED'"],
  ['max_allowed_packet', '1048576', '16777216'],
] as const)('a server is unfit with %s = %s', async ([name, value, before]) => {
  await setGlobal(name, value, before);
  await withStore(url, async (store) => {
    const error = await store.ping().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreUnfitError);
    expect(String(error)).toContain(name);
  });
});

test('a server that is read-only is unfit, and is not read from', async () => {
  const record = freshRecord({ kind: 'session', subject: freshId() });
  await withStore(url, async (store) => {
    await store.commit([put(record)]);
    await setGlobal('read_only', '1', '0');
    await expect(store.ping()).rejects.toThrow('read-only');
    for (const key of [record, freshRecord()]) await expect(store.read([key])).rejects.toThrow(StoreUnfitError);
    const { subject = '' } = record;
    await expect(store.list({ kind: 'session', subject, limit: 1 })).rejects.toThrow('read-only');
    await expect(store.scan({ limit: 1 })).rejects.toThrow('read-only');
  });
});

test('the defaults of the server for sessions do not matter', async () => {
  await setGlobal('sql_mode', "'NO_BACKSLASH_ESCAPES,ANSI_QUOTES,PAD_CHAR_TO_FULL_LENGTH'", "'STRICT_TRANS_TABLES'");
  await setGlobal('autocommit', '0', '1');
  await setGlobal('tx_isolation', "'READ-UNCOMMITTED'", "'REPEATABLE-READ'");
  // A commit of several statements begins a transaction, to which the next commit must not belong.
  await setGlobal('completion_type', '1', '0');
  await setGlobal('time_zone', "'+05:45'", "'SYSTEM'");
  const record = freshRecord({ expiresAt: new Date('2030-06-01T10:20:30.456Z'), payload: `{"a":"\\\\ ' \\" \u0000"}` });
  await withStore(url, async (store) => {
    await store.ping();
    await store.commit([put(freshRecord()), remove(freshRecord())]);
    await store.commit([put(record)]);
    await withStore(url, async (other) => {
      expect(await other.read([record])).toEqual([{ ...record, consumedAt: null, members: [] }]);
    });
  });
});

test('ids are compared byte by byte, with the spaces at their ends', async () => {
  const id = freshId();
  const ids = [id, `${id} `, `${id}  `, id.toUpperCase(), `${id}\u0301`, `${id}é`, `${id}e\u0301`];
  await withStore(url, async (store) => {
    for (const [index, each] of ids.entries())
      await store.commit([put(freshRecord({ id: each, payload: `${index}` }))]);
    const found = await store.read(ids.map((each) => freshRecord({ id: each })));
    expect(found.map((record) => record?.payload)).toEqual(ids.map((_, index) => `${index}`));
  });
});

test('an id that is too long is refused, and not cut', async () => {
  const record = freshRecord({ id: 'a'.repeat(256) });
  await withStore(url, async (store) => {
    const error = await store.commit([claim(record)]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ errno: 1406 });
    // The driver would quote the statement, and with it the payload.
    expect(error).not.toHaveProperty('sql');
    expect(await store.read([freshRecord({ id: 'a'.repeat(255) })])).toEqual([undefined]);
  });
});

/** Half of a packet of 4 MiB: its digits are twice as long. */
const large = () => freshRecord({ payload: `"${'x'.repeat(2_097_152)}"` });

test('a commit that exceeds max_allowed_packet is refused before it is sent, and its neighbours are carried out', async () => {
  await setGlobal('max_allowed_packet', '4194304', '16777216');
  await withStore(url, async (store) => {
    await store.ping();
    const small = Array.from({ length: 20 }, () => freshRecord());
    const [refused, ...others] = [large(), ...small].map((record) => store.commit([claim(record)]));
    await expect(refused).rejects.toThrow(RangeError);
    await expect(refused).rejects.toThrow('max_allowed_packet');
    await Promise.all(others);
    expect(await store.read(small)).not.toContain(undefined);
  });
});

test('commits that exceed max_allowed_packet only together are carried out', async () => {
  await setGlobal('max_allowed_packet', '4194304', '16777216');
  await withStore(url, async (store) => {
    const sessions = Array.from({ length: 40 }, () => freshRecord({ kind: 'session' }));
    await store.commit(sessions.map(put));
    const members = Array.from({ length: 100 }, (_, index) => `${index}`.padStart(1_000));
    await Promise.all(sessions.map((session) => store.commit([merge(session, ...members)])));
    for (const found of await store.read(sessions)) expect(found?.members).toHaveLength(100);
  });
});

test('a database that does not exist is named as such', async () => {
  const missing = url.replace(/\/[^/]*$/, '/carnet_missing');
  await withStore(missing, (store) => expect(store.ping()).rejects.toThrow('There is no such database'));
  await withMigrator({ url: missing }, (migrator) => expect(migrator.up()).rejects.toThrow(StoreUnfitError));
});

test('a database without tables is unfit until it is migrated', async () => {
  const empty = await server.createDatabase();
  await withStore(empty, async (store) => {
    await expect(store.ping()).rejects.toThrow('carnet migrate up');
    await expect(store.read([freshRecord()])).rejects.toThrow('carnet migrate up');
    await withMigrator({ url: empty }, (migrator) => migrator.up());
    await store.ping();
  });
});

test('a user without rights gets an error that says so, and the rights of the README suffice', async () => {
  const database = new URL(url).pathname.slice(1);
  await query(url, "create user app@'127.0.0.1' identified by 'p@ss/word'");
  undo.push("drop user app@'127.0.0.1'");
  const asUser = url.replace('root@', `app:${encodeURIComponent('p@ss/word')}@`);
  await withStore(asUser, (store) => expect(store.ping()).rejects.toThrow(StoreUnfitError));
  await query(url, `grant select on ${database}.carnet_migration to app@'127.0.0.1'`);
  await query(url, `grant select, insert, update on ${database}.carnet_record to app@'127.0.0.1'`);
  await withStore(asUser, (store) => expect(store.ping()).rejects.toThrow('lacks a privilege'));
  await query(url, `grant delete on ${database}.carnet_record to app@'127.0.0.1'`);
  await withStore(asUser, async (store) => {
    await store.ping();
    await store.commit([put(freshRecord()), claim(freshRecord()), revoke(freshId())]);
    await store.sweep(1);
    await setGlobal('read_only', '1', '0');
    await expect(store.ping()).rejects.toThrow('The server is read-only');
    await expect(store.commit([put(freshRecord())])).rejects.toThrow('The server is read-only');
    await setGlobal('read_only', '0', '0');
  });
  const wrong = url.replace('root@', 'app:wrong@');
  await withStore(wrong, (store) => expect(store.ping()).rejects.toThrow('refuses the user or the password'));
});

test('expiry is compared with the clock of the process', async () => {
  let now = Date.now();
  const store = openMysqlAdapter({ url, now: () => now });
  const record = freshRecord({ kind: 'session', subject: freshId() });
  await store.commit([put(record)]);
  expect(await store.read([record])).toMatchObject([{ id: record.id }]);
  now = record.expiresAt?.getTime() ?? 0;
  expect(await store.read([record])).toEqual([undefined]);
  expect(await store.commit([claim(record)])).toBeUndefined();
  now += 1;
  expect((await store.sweep(1_000)).left).toBe(0);
  expect(await query(url, `select 1 from carnet_record where id = '${record.id}'`)).toEqual([]);
  await store.close();
});

test('a URL that cannot be used is refused at once, and no part of it is in the error', async () => {
  const secret = 'very-secret';
  const urls = [
    `postgres://carnet:${secret}@localhost/carnet`,
    `mysql://carnet:${secret}@localhost:port/carnet`,
    `mysql://carnet:${secret}@localhost`,
    `mysql://carnet:p/${secret}@localhost/carnet`,
    `mysql://carnet:12/${secret}@localhost/carnet`,
    `mysql://carnet:p@${secret}/w#rd@localhost/carnet`,
    `mysql://carnet:p%x${secret}@localhost/carnet`,
    `mysql://carnet:${secret}@localhost/carnet?pool=0`,
    `mariadb://carnet:${secret}@localhost/carnet?timeout=${secret}`,
    `mysql://carnet:${secret}@localhost/carnet?tls=${secret}`,
    `mysql://carnet:${secret}@127.0.0.1/carnet?tls=true`,
    `mysql://carnet:${secret}@[::1]/carnet?tls=true`,
    `mysql://carnet:${secret}@localhost/carnet?${secret}=1`,
  ];
  for (const refused of urls) {
    const error = await openAdapter({ url: refused }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreUnfitError);
    expect(String(error) + String((error as Error).cause)).not.toContain(secret);
  }
});
