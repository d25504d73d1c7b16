import { expect, test } from 'vitest';
import { claim, freshRecord, put } from '../src/laws/records.ts';
import { StoreUnfitError } from '../src/port.ts';
import type { storesOf } from './sql-stores.ts';

interface MigratedDatabase extends Pick<ReturnType<typeof storesOf>, 'createStore' | 'withStore'> {
  readonly withMigrator: ReturnType<typeof storesOf<never>>['withMigrator'];
  readonly server: { createDatabase(): Promise<string> };
  query(url: string, sql: string): Promise<readonly unknown[]>;
  withConnection(
    url: string,
    use: (connection: { query(sql: string): Promise<unknown> }) => Promise<void>,
  ): Promise<void>;
  /** Resolves once a session waits for a lock. */
  untilWaiting(url: string): Promise<unknown>;
  /** The query for the tables of Carnet. */
  readonly tables: string;
  /** Any instant, as SQL. */
  readonly instant: string;
}

/** The tests of the migrations of a server. */
export const testMigrations = ({
  server,
  createStore,
  withStore,
  withMigrator,
  query,
  withConnection,
  untilWaiting,
  tables,
  instant,
}: MigratedDatabase): void => {
  test('ten that start at once apply each step once', async () => {
    const url = await server.createDatabase();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => withMigrator({ url }, (migrator) => migrator.up())),
    );
    const status = await withMigrator({ url }, (migrator) => migrator.status());
    expect(answers.flat().sort()).toEqual(status.map(({ name }) => name));
    expect(status.every(({ appliedAt }) => appliedAt instanceof Date)).toBe(true);
    expect(status.every(({ appliedAt }) => Math.abs(Number(appliedAt) - Date.now()) < 60_000)).toBe(true);
  });

  test('status of an empty database lists the steps as not applied, and changes nothing', async () => {
    const url = await server.createDatabase();
    const status = await withMigrator({ url }, (migrator) => migrator.status());
    expect(status).toEqual([{ name: '0001-records', appliedAt: null }]);
    expect(await query(url, tables)).toEqual([]);
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
      await connection.query('begin');
      await connection.query('select name from carnet_migration_lock for update');
      const up = withMigrator({ url }, (migrator) => migrator.up());
      await untilWaiting(url);
      await query(url, `insert into carnet_migration values ('0001-records', ${instant})`);
      await connection.query('commit');
      expect(await up).toEqual([]);
    });
  });

  test('before the migration every call says what to run, and after it the same store is fit', async () => {
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
      await withMigrator({ url }, (migrator) => migrator.up());
      for (const call of calls) await call();
    });
  });

  test('a step that is missing makes the store unfit', async () => {
    const url = await createStore(server);
    await query(url, 'delete from carnet_migration');
    await withStore(url, (store) => expect(store.ping()).rejects.toThrow('lack 0001-records. Run `carnet migrate up`'));
  });

  test('steps of a later release are shown, do not hinder, and are not reverted', async () => {
    const url = await createStore(server);
    await query(url, `insert into carnet_migration values ('9999-later', ${instant})`);
    await withStore(url, (store) => store.ping());
    await withMigrator({ url }, async (migrator) => {
      expect((await migrator.status()).map(({ name }) => name)).toEqual(['0001-records', '9999-later']);
      expect(await migrator.up()).toEqual([]);
      await expect(migrator.down()).rejects.toThrow('9999-later');
    });
  });
};
