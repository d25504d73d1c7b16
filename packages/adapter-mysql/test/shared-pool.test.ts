import type { StorageAdapter } from '@carnet/adapter-contract';
import { openAdapter } from '@carnet/adapter-mysql';
import { openTestMariadb } from '@carnet/test-servers';
import mysql from 'mysql2/promise';
import { afterAll, describe, expect, test } from 'vitest';
import { consume, freshRecord, merge, put, withMigrator } from './store.ts';

const server = await openTestMariadb();
const uri = await server.createDatabase();
const pool = mysql.createPool({ uri, connectionLimit: 10 });
afterAll(() => pool.end());
await withMigrator({ pool }, (migrator) => migrator.up());
const open = () => openAdapter({ pool });

describe('openAdapter({ pool })', () => {
  test('leaves the sessions of the app as they were', async () => {
    const store = await open();
    await store.ping();
    await store.commit([put(freshRecord())]);
    const [rows] = await pool.query('select @@tx_isolation as isolation, @@autocommit as autocommit');
    expect(rows).toEqual([{ isolation: 'REPEATABLE-READ', autocommit: 1 }]);
    await store.close();
  });

  test('commits, and reads what is committed, although the sessions of the app do not commit by themselves', async () => {
    const held = mysql.createPool({ uri: `mysql://root@127.0.0.1:${new URL(server.url).port}/`, connectionLimit: 1 });
    const [[row]] = await pool.query<mysql.RowDataPacket[]>('select database() as name');
    await held.query('set autocommit = 0');
    await held.query(`use ${row?.name}`);
    const [store, other] = [await openAdapter({ pool: held }), await open()];
    const record = freshRecord();
    expect(await store.read([record])).toEqual([undefined]);
    await other.commit([put(record)]);
    expect(await store.read([record])).toMatchObject([{ id: record.id }]);
    const own = freshRecord();
    await store.commit([put(own)]);
    expect(await other.read([own])).toMatchObject([{ id: own.id }]);
    await Promise.all([store.close(), other.close(), held.end()]);
  });

  test('reads what it has stored, however the pool of the app converts values', async () => {
    const converting = mysql.createPool({
      uri,
      supportBigNumbers: true,
      bigNumberStrings: true,
      nestTables: true,
      typeCast: (field) => (field.type === 'TINY' ? field.string() === '1' : field.string()),
    });
    const [store, other] = [await openAdapter({ pool: converting }), await open()];
    const record = freshRecord({ grantId: 'g', expiresAt: new Date(Date.now() + 60_000) });
    await other.commit([put(record), consume(record)]);
    const found = await other.read([record]);
    expect(found).toMatchObject([{ ...record, consumedAt: expect.any(Date) }]);
    expect(await store.read([record])).toEqual(found);
    expect(await store.sweep(1)).toEqual(await other.sweep(1));
    await Promise.all([store.close(), other.close(), converting.end()]);
  });

  test.for(['UTF8_GENERAL_CI', 'BINARY'])('refuses a pool whose character set is %s', async (charset) => {
    const narrow = mysql.createPool({ uri, charset });
    const store = await openAdapter({ pool: narrow });
    await expect(store.ping()).rejects.toThrow('utf8mb4');
    await Promise.all([store.close(), narrow.end()]);
  });

  const withSessions = async (setting: string, use: (store: StorageAdapter) => Promise<void>) => {
    const set = mysql.createPool({ uri });
    set.pool.on('connection', (connection) => void connection.query(`set session ${setting}`));
    const store = await openAdapter({ pool: set });
    await use(store);
    await Promise.all([store.close(), set.end()]);
  };

  test.for(['CHAIN', 'RELEASE'])('refuses a pool whose sessions have the completion_type %s', (type) =>
    withSessions(`completion_type = '${type}'`, (store) => expect(store.ping()).rejects.toThrow('completion_type')),
  );

  test.for(['ANSI', 'ORACLE', 'EMPTY_STRING_IS_NULL', 'NO_BACKSLASH_ESCAPES', 'SIMULTANEOUS_ASSIGNMENT'])(
    'keeps what it stores in sessions with the sql_mode %s',
    (mode) =>
      withSessions(`sql_mode = 'STRICT_ALL_TABLES,${mode}'`, async (store) => {
        await store.ping();
        const record = freshRecord({ payload: '', subject: `'"\\` });
        await store.commit([put(record)]);
        for (const members of [['one', 'two'], ['one']]) await store.commit([merge(record, ...members)]);
        expect(await store.read([record])).toEqual([{ ...record, consumedAt: null, members: ['one', 'two'] }]);
      }),
  );

  test('leaves the pool open when it is closed', async () => {
    const store = await open();
    await store.close();
    await expect(store.ping()).rejects.toThrow('closed');
    expect((await pool.query('select 1 as one'))[0]).toEqual([{ one: 1 }]);
  });
});
