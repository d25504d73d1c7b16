import { readFileSync } from 'node:fs';
import type { Write } from '@carnet/adapter-contract';
import { describe, expect, test } from 'vitest';
import { claim, present, put } from './records.ts';
import { freshFile, openStore } from './store-file.ts';

/**
 * How many transactions stand in the write-ahead log: its frames that end one. A commit forces the log to disk once for
 * each (https://sqlite.org/fileformat2.html#walformat).
 */
const transactionsIn = (file: string): number => {
  const log = readFileSync(`${file}-wal`);
  const frameSize = 24 + log.readUInt32BE(8);
  let count = 0;
  for (let offset = 32; offset + frameSize <= log.length; offset += frameSize) {
    if (log.readUInt32BE(offset + 4) > 0) count += 1;
  }
  return count;
};

const fifty = Array.from({ length: 50 }, (_, n) => `${n}`);

const openCounted = async () => {
  const file = freshFile();
  const store = await openStore(file);
  const before = transactionsIn(file);
  return { store, count: () => transactionsIn(file) - before };
};

describe('commits of one turn of the event loop', () => {
  test('share one transaction', async () => {
    const { store, count } = await openCounted();
    await Promise.all(fifty.map((id) => store.commit([put(id)])));
    expect(count()).toBe(1);
    expect(await present(store, fifty)).toEqual(fifty);
  });

  test('stand alone where each follows the other', async () => {
    const { store, count } = await openCounted();
    for (const id of fifty) await store.commit([put(id)]);
    expect(count()).toBe(50);
  });

  test('are atomic each: a conflict undoes its own writes and no other’s', async () => {
    const { store, count } = await openCounted();
    const outcomes = await Promise.all(fifty.map((id) => store.commit([put(id), claim('the same')])));
    expect(outcomes.map((conflict) => conflict?.reason)).toEqual([undefined, ...Array(49).fill('exists')]);
    expect(await present(store, fifty)).toEqual(['0']);
    expect(count()).toBe(1);
  });

  test.each<[string, Write[]]>([
    ['an invalid date', [put('bad'), put('worse', { expiresAt: new Date(Number.NaN) })]],
    ['a payload that is no text', [put('bad'), put('worse', { payload: {} as string })]],
  ])('do not suffer from one with %s', async (_what, faulty) => {
    const { store } = await openCounted();
    const outcomes = await Promise.allSettled([[put('a')], faulty, [put('b')]].map((writes) => store.commit(writes)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await present(store, ['a', 'bad', 'worse', 'b'])).toEqual(['a', 'b']);
  });

  test('are split where they are many, so that others have the loop and the file between them', async () => {
    const { store, count } = await openCounted();
    const large = (name: string) => store.commit(Array.from({ length: 400 }, (_, n) => put(`${name}${n}`)));
    await Promise.all([large('a'), large('b'), large('c')]);
    expect(count()).toBe(3);
  });

  test('are what they were when they were handed over', async () => {
    const { store } = await openCounted();
    const writes = [put('a')];
    const commit = store.commit(writes);
    writes.push(put('b'));
    await commit;
    expect(await present(store, ['a', 'b'])).toEqual(['a']);
  });
});
