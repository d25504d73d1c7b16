import { StoreUnfitError } from '@carnet/adapter-contract';
import { openTestMariadb } from '@carnet/test-servers';
import mysql from 'mysql2/promise';
import { expect, test } from 'vitest';
import { claim, createStore, freshRecord, put, query, withConnection, withMigrator, withStore } from './store.ts';

const server = await openTestMariadb();

test('ten that start at once apply each step once', async () => {
  const url = await server.createDatabase();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => withMigrator({ url }, (migrator) => migrator.up())),
  );
  const status = await withMigrator({ url }, (migrator) => migrator.status());
  expect(answers.flat().sort()).toEqual(status.map(({ name }) => name));
  expect(status.every(({ appliedAt }) => Math.abs(Number(appliedAt) - Date.now()) < 60_000)).toBe(true);
});

test('status of an empty database lists the steps as not applied, and changes nothing', async () => {
  const url = await server.createDatabase();
  const status = await withMigrator({ url }, (migrator) => migrator.status());
  expect(status).toEqual([{ name: '0001-records', appliedAt: null }]);
  expect(await query(url, 'show tables')).toEqual([]);
});

test('up is idempotent; down takes the last step and its data; up brings the tables back', async () => {
  const url = await createStore(server);
  const record = freshRecord();
  await withStore(url, (store) => store.commit([put(record)]));
  await withMigrator({ url }, async (migrator) => {
    expect(await migrator.up()).toEqual([]);
    expect(await migrator.down()).toBe('0001-records');
    expect(await migrator.down()).toBeUndefined();
    expect(await migrator.up()).toEqual(['0001-records']);
  });
  expect(await withStore(url, (store) => store.read([record]))).toEqual([undefined]);
});

test('a step waits until no other process migrates', async () => {
  const url = await server.createDatabase();
  await withMigrator({ url }, (migrator) => migrator.down());
  await withConnection(url, async (connection) => {
    await connection.query('start transaction');
    await connection.query('select name from carnet_migration_lock for update');
    const up = withMigrator({ url }, (migrator) => migrator.up());
    const waiting = "select 1 from information_schema.innodb_trx where trx_state = 'LOCK WAIT'";
    while ((await query(url, waiting)).length === 0);
    await query(url, "insert into carnet_migration values ('0001-records', 1)");
    await connection.query('commit');
    expect(await up).toEqual([]);
  });
});

test('a step that was interrupted before it was noted is applied again', async () => {
  const url = await createStore(server);
  await query(url, 'delete from carnet_migration');
  await withStore(url, (store) => expect(store.ping()).rejects.toThrow('lack 0001-records. Run `carnet migrate up`'));
  expect(await withMigrator({ url }, (migrator) => migrator.up())).toEqual(['0001-records']);
  await withStore(url, (store) => store.ping());
});

test('before the migration every call says what to run', async () => {
  const url = await server.createDatabase();
  await withStore(url, async (store) => {
    const calls = [
      () => store.ping(),
      () => store.read([freshRecord()]),
      () => store.commit([claim(freshRecord())]),
      () => store.list({ kind: 'client', limit: 1 }),
      () => store.scan({ limit: 1 }),
      () => store.sweep(1),
    ];
    for (const call of calls) {
      const error = await call().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(StoreUnfitError);
      expect((error as Error).message).toContain('carnet migrate up');
    }
  });
});

test('steps of a later release are shown, do not hinder, and are not reverted', async () => {
  const url = await createStore(server);
  await query(url, "insert into carnet_migration values ('9999-later', 1)");
  await withStore(url, (store) => store.ping());
  await withMigrator({ url }, async (migrator) => {
    expect((await migrator.status()).map(({ name }) => name)).toEqual(['0001-records', '9999-later']);
    await expect(migrator.down()).rejects.toThrow('9999-later');
  });
});

test('a pool with one connection is refused, because the migrations need two', async () => {
  const pool = mysql.createPool({ uri: await server.createDatabase(), connectionLimit: 1 });
  await expect(withMigrator({ pool }, (migrator) => migrator.up())).rejects.toThrow('connectionLimit');
  await pool.end();
});
