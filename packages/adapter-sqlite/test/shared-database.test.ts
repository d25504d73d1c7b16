import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openAdapter } from '@carnet/adapter-sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { testLaws } from '../../adapter-contract/test/laws.ts';
import { present, put } from './records.ts';

const folder = mkdtempSync(join(tmpdir(), 'carnet-sqlite-'));
const database = new DatabaseSync(join(folder, 'app.db'));
database.exec('create table app (id integer primary key)');
const open = () => openAdapter({ database });
const store = await open();
afterAll(async () => {
  await store.close();
  if (database.isOpen) database.close();
  rmSync(folder, { recursive: true });
});

describe('the SQLite adapter keeps the laws of the storage port in the file of an app', () => {
  testLaws({ store, open });
});

describe('openAdapter({ database })', () => {
  test('commits beside an open read transaction of the app, and keeps the commit when the app rolls back', async () => {
    database.exec('begin');
    expect(database.prepare('select count(*) as count from app').get()).toEqual({ count: 0 });
    expect(await store.commit([put('beside-the-app')])).toBeUndefined();
    database.exec('rollback');
    expect(await present(store, ['beside-the-app'])).toEqual(['beside-the-app']);
  });

  test('leaves the database open when it is closed', async () => {
    const another = await open();
    await another.close();
    await expect(another.ping()).rejects.toThrow();
    database.exec('insert into app values (1)');
    expect(database.prepare('select count(*) as count from app').get()).toEqual({ count: 1 });
  });

  test('refuses a database in memory', async () => {
    await expect(openAdapter({ database: new DatabaseSync(':memory:') })).rejects.toThrow('in memory');
  });
});
