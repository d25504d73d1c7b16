import type { Write } from '@carnet/adapter-contract';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freshFile } from '../test/store-file.ts';
import { parseAddress } from './address.ts';
import { bindCommit } from './commit.ts';
import { openDatabase } from './database.ts';
import { migrateUp } from './migrate.ts';
import { runBatch } from './run-batch.ts';
import { prepareStatements } from './statements.ts';

const open = async (query = '') => {
  const database = await openDatabase(parseAddress(`sqlite:${freshFile()}${query}`));
  onTestFinished(() => database.close());
  migrateUp(database);
  return { database, statements: prepareStatements(database), now: () => 0 };
};

const put = (id: string, payload = '{}'): Write => ({
  type: 'put',
  record: { kind: 'flow', id, payload, expiresAt: null },
});

const countOf = ({ database }: Awaited<ReturnType<typeof open>>) =>
  database.prepare('select count(*) as count from carnet_record').get()?.count;

describe('a batch on a disk that is full', () => {
  test('throws, stores nothing of any commit, and leaves the connection fit for the next one', async () => {
    const store = await open();
    const { max_page_count } = store.database.prepare('pragma max_page_count').get() ?? {};
    store.database.exec('pragma max_page_count = 12');
    const batch = [[put('a')], [put('large', 'x'.repeat(100_000))], [put('b')]].map(bindCommit);
    expect(() => runBatch(store, batch)).toThrow('full');
    expect(store.database.isTransaction).toBe(false);
    expect(countOf(store)).toBe(0);
    store.database.exec(`pragma max_page_count = ${max_page_count}`);
    expect(runBatch(store, batch).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    expect(countOf(store)).toBe(3);
  });
});

describe('how safe a commit is', () => {
  test.each([
    ['survives a power loss', '', 2],
    ['survives a power loss where that is asked for', '?synchronous=full', 2],
    ['survives the end of the process where that is enough', '?synchronous=normal', 1],
  ])('%s', async (_title, query, level) => {
    const { database } = await open(query);
    expect(database.prepare('pragma synchronous').get()).toEqual({ synchronous: level });
    expect(database.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' });
  });
});
