import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { present, put } from './records.ts';
import { connect, freshFile, openStore } from './store-file.ts';

/** Another program that has the file's only write lock until it is told to let go. */
const lock = (file: string) => {
  const database = connect(file);
  database.exec('begin immediate');
  return { release: () => database.exec('commit') };
};

describe('a file that another process has locked', () => {
  test('a commit waits, and the event loop turns and reads are answered', async () => {
    const file = freshFile();
    const store = await openStore(file);
    await store.commit([put('before')]);
    const { release } = lock(file);
    let isStored = false;
    const commit = store.commit([put('during')]).then(() => {
      isStored = true;
    });
    for (let turn = 0; turn < 50; turn++) {
      await nextTurn();
      expect(await present(store, ['before', 'during'])).toEqual(['before']);
    }
    expect(isStored).toBe(false);
    release();
    await commit;
    expect(await present(store, ['during'])).toEqual(['during']);
  });

  test('a commit gives up when its time is over, says why, and is not carried out later', async () => {
    const file = freshFile();
    const store = await openStore(file, { query: '?busyTimeoutMs=30' });
    const { release } = lock(file);
    await expect(store.commit([put('late')])).rejects.toThrow('locked by another process for 30 ms');
    release();
    await store.commit([put('next')]);
    expect(await present(store, ['late', 'next'])).toEqual(['next']);
  });

  test('opening, sweeping and closing wait for it', async () => {
    const file = freshFile();
    const store = await openStore(file);
    await store.commit([put('old', { expiresAt: new Date(0) })]);
    const { release } = lock(file);
    const done: string[] = [];
    const calls = [
      openStore(file).then(() => void done.push('open')),
      store.sweep(10).then(({ removed }) => void done.push(`sweep of ${removed}`)),
      store.commit([put('last')]).then(() => void done.push('commit')),
    ];
    calls.push(store.close().then(() => void done.push('close')));
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    expect(done).toEqual([]);
    release();
    await Promise.allSettled(calls);
    expect(done).toContain('open');
    expect(done.indexOf('close')).toBeGreaterThan(done.indexOf('commit'));
    expect(await present(await openStore(file), ['last'])).toEqual(['last']);
  });
});
