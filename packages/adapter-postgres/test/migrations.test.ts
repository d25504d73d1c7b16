import { StoreUnfitError } from '@carnet/adapter-contract';
import { openTestPostgres } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { expect, test } from 'vitest';
import { claim, createStore, freshRecord, put, untilWaiting, withClient, withMigrator, withStore } from './store.ts';

const server = beforeTests(() => openTestPostgres());

test('ten that start at once apply each step once', async () => {
  const url = await server.createDatabase();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => withMigrator({ url }, (migrator) => migrator.up())),
  );
  const status = await withMigrator({ url }, (migrator) => migrator.status());
  expect(answers.flat().sort()).toEqual(status.map(({ name }) => name));
  expect(status.every(({ appliedAt }) => appliedAt instanceof Date)).toBe(true);
});

test('status of an empty database lists the steps as not applied, and changes nothing', async () => {
  const url = await server.createDatabase();
  const status = await withMigrator({ url }, (migrator) => migrator.status());
  expect(status).toEqual([{ name: '0001-records', appliedAt: null }]);
  const { rows } = await withClient(url, (client) => client.query("select 1 from pg_class where relname ~ '^carnet'"));
  expect(rows).toEqual([]);
});

test('up is idempotent; down takes the last step and what it held; up brings the tables back', async () => {
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

test('a step waits until nobody else migrates', async () => {
  const url = await server.createDatabase();
  await withMigrator({ url }, (migrator) => migrator.down());
  await withClient(url, async (client) => {
    await client.query('begin');
    await client.query('select name from carnet_migration_lock for update');
    const up = withMigrator({ url }, (migrator) => migrator.up());
    await untilWaiting(url);
    await client.query("insert into carnet_migration values ('0001-records', '2020-01-01')");
    await client.query('commit');
    expect(await up).toEqual([]);
  });
});

test('a failed step leaves nothing behind', async () => {
  const url = await server.createDatabase();
  await withClient(url, (client) => client.query('create table carnet_record_listed (a int)'));
  await expect(withMigrator({ url }, (migrator) => migrator.up())).rejects.toThrow('carnet_record_listed');
  const status = await withMigrator({ url }, (migrator) => migrator.status());
  expect(status.map(({ appliedAt }) => appliedAt)).toEqual([null]);
  await withClient(url, (client) => client.query('drop table carnet_record_listed'));
  expect(await withMigrator({ url }, (migrator) => migrator.up())).toEqual(['0001-records']);
});

test('before the migration every call says what to run, and after it the same store is fit', async () => {
  const url = await server.createDatabase();
  await withStore(url, async (store) => {
    const calls = [
      () => store.ping(),
      () => store.read([freshRecord()]),
      () => store.commit([claim(freshRecord())]),
      () => store.list({ kind: 'client', limit: 1 }),
      () => store.sweep(1),
    ];
    for (const call of calls) {
      const error = await call().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(StoreUnfitError);
      expect((error as Error).message).toContain('carnet migrate up');
    }
    await withMigrator({ url }, (migrator) => migrator.up());
    for (const call of calls) await call();
  });
});

test('a step that is missing makes the store unfit', async () => {
  const url = await createStore(server);
  await withClient(url, (client) => client.query('delete from carnet_migration'));
  await withStore(url, (store) => expect(store.ping()).rejects.toThrow('lack 0001-records. Run `carnet migrate up`'));
});

test('steps of a later release are shown, do not hinder, and are not taken back', async () => {
  const url = await createStore(server);
  await withClient(url, (client) => client.query("insert into carnet_migration values ('9999-later', '2030-01-01')"));
  await withStore(url, (store) => store.ping());
  await withMigrator({ url }, async (migrator) => {
    expect((await migrator.status()).map(({ name }) => name)).toEqual(['0001-records', '9999-later']);
    expect(await migrator.up()).toEqual([]);
    await expect(migrator.down()).rejects.toThrow('9999-later');
  });
});

test('settings in the URL hold for migrations, too', async () => {
  const url = await server.createDatabase();
  await withClient(url, (client) => client.query('create schema other'));
  const other = `${url}?options=${encodeURIComponent('-c search_path=other')}`;
  await withMigrator({ url: other }, (migrator) => migrator.up());
  await withStore(other, (store) => store.ping());
  await withStore(url, (store) => expect(store.ping()).rejects.toThrow(StoreUnfitError));
});
