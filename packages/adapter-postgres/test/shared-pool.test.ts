import { openAdapter } from '@carnet/adapter-postgres';
import { openTestPostgres } from '@carnet/test-servers';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { testLaws } from '../../adapter-contract/test/laws.ts';
import { freshRecord, put, withMigrator } from './store.ts';

const server = await openTestPostgres();
afterAll(() => server.close());
const pool = new pg.Pool({ connectionString: await server.createDatabase(), max: 5 });
afterAll(() => pool.end());
await withMigrator({ pool }, (migrator) => migrator.up());
const open = () => openAdapter({ pool });
const store = await open();
afterAll(() => store.close());

describe('the Postgres adapter keeps the laws of the storage port on the pool of an app', () => {
  testLaws({ store, open });
});

describe('openAdapter({ pool })', () => {
  test('works although the sessions of the app are read committed, and leaves them so', async () => {
    await store.ping();
    const { rows } = await pool.query(
      "select current_setting('transaction_isolation') as isolation, current_setting('jit') as jit",
    );
    expect(rows[0]).toEqual({ isolation: 'read committed', jit: expect.stringMatching(/^o/) });
    const { rows: seqscan } = await pool.query("select current_setting('enable_seqscan') as value");
    expect(seqscan[0]).toEqual({ value: 'on' });
  });

  test('leaves the pool open when it is closed', async () => {
    const another = await open();
    const record = freshRecord();
    await another.commit([put(record)]);
    await another.close();
    await expect(another.ping()).rejects.toThrow('closed');
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(await store.read([record])).toMatchObject([{ id: record.id }]);
  });

  test('survives the end of a connection while it is in use', async () => {
    const ended = pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    pool.on('error', () => {});
    await ended;
    await store.ping();
  });
});
