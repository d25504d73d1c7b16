import { openTestMariadb } from '@carnet/test-servers';
import mysql from 'mysql2/promise';
import { expect, test } from 'vitest';
import { testMigrations } from '../../adapter-contract/test/sql-migrations.ts';
import { createStore, query, untilWaiting, withConnection, withMigrator, withStore } from './store.ts';

const server = await openTestMariadb();

testMigrations({
  server,
  createStore,
  withMigrator,
  withStore,
  query,
  withConnection,
  untilWaiting,
  tables: 'show tables',
  instant: '1',
});

test('a step that was interrupted before it was noted is applied again', async () => {
  const url = await createStore(server);
  await query(url, 'delete from carnet_migration');
  expect(await withMigrator({ url }, (migrator) => migrator.up())).toEqual(['0001-records']);
  await withStore(url, (store) => store.ping());
});

test('a pool with one connection is refused, because the migrations need two', async () => {
  const pool = mysql.createPool({ uri: await server.createDatabase(), connectionLimit: 1 });
  await expect(withMigrator({ pool }, (migrator) => migrator.up())).rejects.toThrow('connectionLimit');
  await pool.end();
});
