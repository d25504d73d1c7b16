import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type StorageAdapter, StoreUnfitError, type Write } from '@carnet/adapter-contract';
import { afterAll, describe, expect, test } from 'vitest';
import { freshLog } from './fresh-log.ts';
import { openAdapter } from './src/log-adapter.ts';

const file = freshLog();

const opened: StorageAdapter[] = [];
afterAll(() => Promise.all(opened.map((store) => store.close())));

/** Closed, if at all, when there is nothing left to save. */
const open = async (): Promise<StorageAdapter> => {
  const store = await openAdapter({ url: `log:${file}` });
  opened.push(store);
  return store;
};

const put = (id: string, expiresAt: Date | null = null): Write => ({
  type: 'put',
  record: { kind: 'flow', id, payload: '{}', expiresAt },
});

const present = async (store: StorageAdapter, ids: readonly string[]) =>
  (await store.read(ids.map((id) => ({ kind: 'flow', id })))).flatMap((record) => record?.id ?? []);

describe('the log', () => {
  test('has what was committed though nobody closed it', async () => {
    await (await open()).commit([put('a'), put('b')]);
    await (await open()).commit([{ type: 'remove', key: { kind: 'flow', id: 'b' } }]);
    expect(await present(await open(), ['a', 'b'])).toEqual(['a']);
  });

  test('loses nothing to a commit that was cut short, and nothing of that one is there', async () => {
    appendFileSync(file, '[["flow:torn",{"kind":"flow","id":"torn"');
    const store = await open();
    expect(await present(store, ['a', 'torn'])).toEqual(['a']);
    await store.commit([put('c')]);
    expect(await present(await open(), ['a', 'c'])).toEqual(['a', 'c']);
  });

  test('begins anew without what has been replaced, removed or expired', async () => {
    const store = await open();
    for (let n = 0; n < 10; n++) await store.commit([put('a'), put('expired', new Date(0))]);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(12);
    await open();
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).not.toContain('expired');
  });

  test('belongs to its owner alone', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('refuses to open where a line in its midst cannot be read, and leaves the file as it was', async () => {
    const damaged = `[["flow:a",nul\n${readFileSync(file, 'utf8')}`;
    writeFileSync(file, damaged);
    await expect(open()).rejects.toThrow(StoreUnfitError);
    await expect(open()).rejects.toThrow('line 1');
    expect(readFileSync(file, 'utf8')).toBe(damaged);
  });
});
