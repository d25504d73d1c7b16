import { existsSync } from 'node:fs';
import { StoreUnfitError } from '@carnet/adapter-contract';
import { openAdapter, openMigrator } from '@carnet/adapter-sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inProcesses } from './process.ts';
import { present, put } from './records.ts';
import { connect, freshFile, openStore } from './store-file.ts';

const openFresh = async (file: string) => {
  const migrator = await openMigrator({ url: `sqlite:${file}` });
  onTestFinished(() => migrator.close());
  return migrator;
};

const addStep = (file: string): void => {
  connect(file).exec("insert into carnet_migration values ('9999_of_tomorrow', 0)");
};

describe('the schema', () => {
  test('opening a store creates the schema, and opening it again keeps it', async () => {
    const file = freshFile();
    const first = await openStore(file);
    await first.commit([put('kept')]);
    await first.close();
    expect(await present(await openStore(file), ['kept'])).toEqual(['kept']);
  });

  test('one of ten processes that open a new file at once creates the schema', async () => {
    const file = freshFile();
    expect(await inProcesses(10, 'open', file)).toEqual(Array(10).fill('opened'));
    expect(connect(file).prepare('select count(*) as steps from carnet_migration').get()).toEqual({ steps: 1 });
  });

  test('one of five migrators that go up at once migrates the schema', async () => {
    const applied = (await inProcesses(5, 'migrate', freshFile())) as string[][];
    expect(applied.flat()).toEqual(['0001-records']);
  });
});

describe('openMigrator', () => {
  test('changes nothing until it is told to', async () => {
    const file = freshFile();
    const migrator = await openFresh(file);
    expect(await migrator.status()).toEqual([{ name: '0001-records', appliedAt: null }]);
    expect(existsSync(file)).toBe(false);
    connect(file);
    expect(await migrator.status()).toEqual([{ name: '0001-records', appliedAt: null }]);
    expect(connect(file).prepare('select name from sqlite_schema').all()).toEqual([]);
  });

  test('goes up once, and down again to nothing', async () => {
    const file = freshFile();
    const migrator = await openFresh(file);
    expect(await migrator.up()).toEqual(['0001-records']);
    expect(await migrator.up()).toEqual([]);
    expect(await migrator.status()).toEqual([{ name: '0001-records', appliedAt: expect.any(Date) }]);
    expect(await migrator.down()).toBe('0001-records');
    expect(await migrator.down()).toBeUndefined();
    expect(await migrator.status()).toEqual([{ name: '0001-records', appliedAt: null }]);
    const tables = connect(file).prepare("select name from sqlite_schema where name like '%record%'").all();
    expect(tables).toEqual([]);
  });

  test('says of a newer step that it is there, and leaves it alone', async () => {
    const file = freshFile();
    await openStore(file);
    addStep(file);
    const migrator = await openFresh(file);
    expect((await migrator.status()).map(({ name }) => name)).toEqual(['0001-records', '9999_of_tomorrow']);
    await expect(migrator.up()).rejects.toThrow(StoreUnfitError);
    await expect(migrator.down()).rejects.toThrow('9999_of_tomorrow');
  });

  test('rejects calls after it was closed', async () => {
    const migrator = await openFresh(freshFile());
    await migrator.close();
    await expect(migrator.status()).rejects.toThrow();
  });
});

describe('a store whose schema does not fit', () => {
  test('a store that a newer Carnet has changed is refused', async () => {
    const file = freshFile();
    await (await openStore(file)).close();
    addStep(file);
    const opening = openAdapter({ url: `sqlite:${file}` });
    await expect(opening).rejects.toThrow(StoreUnfitError);
    await expect(opening).rejects.toThrow('newer Carnet (9999_of_tomorrow)');
  });

  test('says so when a newer Carnet changes it while it is open', async () => {
    const file = freshFile();
    const store = await openStore(file);
    addStep(file);
    await expect(store.ping()).rejects.toThrow(StoreUnfitError);
  });

  test('says what to do when its tables are taken away while it is open, whatever it is asked', async () => {
    const file = freshFile();
    const store = await openStore(file);
    await (await openFresh(file)).down();
    const calls = [
      () => store.ping(),
      () => store.read([{ kind: 'client', id: 'a' }]),
      () => store.commit([put('a')]),
      () => store.list({ kind: 'client', limit: 1 }),
      () => store.sweep(1),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toThrow(StoreUnfitError);
      await expect(call()).rejects.toThrow('carnet migrate up');
    }
  });
});
