import { StoreUnfitError } from '@carnet/adapter-contract';
import { openTestPostgres } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { expect, test } from 'vitest';
import { testMigrations } from '../../adapter-contract/test/sql-migrations.ts';
import { createStore, query, untilWaiting, withClient, withMigrator, withStore } from './store.ts';

const server = beforeTests(() => openTestPostgres());

testMigrations({
  server,
  createStore,
  withMigrator,
  withStore,
  query,
  withConnection: withClient,
  untilWaiting,
  tables: "select 1 from pg_class where relname ~ '^carnet'",
  instant: "'2020-01-01'",
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

test('settings in the URL hold for migrations, too', async () => {
  const url = await server.createDatabase();
  await withClient(url, (client) => client.query('create schema other'));
  const other = `${url}?options=${encodeURIComponent('-c search_path=other')}`;
  await withMigrator({ url: other }, (migrator) => migrator.up());
  await withStore(other, (store) => store.ping());
  await withStore(url, (store) => expect(store.ping()).rejects.toThrow(StoreUnfitError));
});
