import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { StoreUnfitError } from '@carnet/adapter-contract';
import { openAdapter, openMigrator } from '@carnet/adapter-sqlite';
import { describe, expect, test } from 'vitest';
import { resultOf, startProcess } from './process.ts';
import { present, put } from './records.ts';
import { connect, freshFile, openStore } from './store-file.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('the file', () => {
  test('belongs to its owner alone, and so do those beside it', async () => {
    const file = freshFile();
    await openStore(file);
    expect([file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual([0o600, 0o600, 0o600]);
  });

  test('the file alone remains when all stores on it are closed, and keeps what they stored', async () => {
    const file = freshFile();
    const [a, b] = [await openStore(file), await openStore(file)];
    await a.commit([put('kept')]);
    await Promise.all([a.close(), b.close()]);
    expect([existsSync(`${file}-wal`), existsSync(`${file}-shm`)]).toEqual([false, false]);
    expect(await present(await openStore(file), ['kept'])).toEqual(['kept']);
  });

  test('may be copied while it is in use', async () => {
    const file = freshFile();
    const store = await openStore(file);
    await store.commit([put('kept')]);
    const copy = join(dirname(file), 'copy.db');
    connect(file).prepare('vacuum into ?').run(copy);
    expect(await present(await openStore(copy), ['kept'])).toEqual(['kept']);
  });
});

describe('a file that can not be used', () => {
  test.each<[string, (file: string) => string | undefined, string]>([
    ['in a folder that is missing', (file) => join(dirname(file), 'missing', 'carnet.db'), 'create '],
    ['that is a folder', (file) => void mkdirSync(file), "can't be opened"],
    ['that is no database', (file) => writeFileSync(file, 'text '.repeat(1_000)) as undefined, 'not a SQLite database'],
  ])('%s is refused, with what to do', async (_what, arrange, hint) => {
    const fresh = freshFile();
    const file = arrange(fresh) ?? fresh;
    for (const open of [openAdapter, openMigrator]) {
      const opening = open({ url: `sqlite:${file}` });
      await expect(opening).rejects.toThrow(StoreUnfitError);
      await expect(opening).rejects.toThrow(hint);
    }
  });

  test('a file that may not be written is refused at start', async () => {
    const file = freshFile();
    await (await openStore(file)).close();
    chmodSync(dirname(file), 0o555);
    chmodSync(file, 0o444);
    const said = await resultOf(await startProcess('trespass', file));
    expect(said).toMatch(/^StoreUnfitError: .* can't be (written|opened)/);
  });

  test('says so when it is removed while it is in use', async () => {
    const file = freshFile();
    const store = await openStore(file);
    await store.ping();
    rmSync(file);
    await expect(store.ping()).rejects.toThrow(StoreUnfitError);
    await expect(store.commit([put('lost')])).rejects.toThrow(StoreUnfitError);
    await expect(store.sweep(1)).rejects.toThrow(StoreUnfitError);
  });

  test.each(['-wal', '-shm'])('reports that its %s was removed or replaced while in use', async (suffix) => {
    const file = freshFile();
    const store = await openStore(file);
    await store.commit([put('lost')]);
    renameSync(`${file}${suffix}`, `${file}-elsewhere`);
    for (let isReplaced = 0; isReplaced < 2; isReplaced++) {
      await expect(store.ping()).rejects.toThrow(`${suffix} was removed or replaced`);
      await expect(store.commit([put('lost too')])).rejects.toThrow(StoreUnfitError);
      await expect(present(store, ['lost'])).rejects.toThrow(StoreUnfitError);
      await expect(store.sweep(1)).rejects.toThrow(StoreUnfitError);
      writeFileSync(`${file}${suffix}`, '');
    }
    rmSync(`${file}${suffix}`);
    renameSync(`${file}-elsewhere`, `${file}${suffix}`);
    await store.ping();
  });

  test.each(['-wal', '-shm'])('acknowledges no commit from the moment its %s is removed', async (suffix) => {
    const file = freshFile();
    const store = await openStore(file);
    await store.commit([put('kept')]);
    rmSync(`${file}${suffix}`);
    await expect(store.commit([put('refused')])).rejects.toThrow(`${suffix} was removed or replaced`);
  });

  test('loses no acknowledged commit when its log is removed under load and the process is killed', async () => {
    const file = freshFile();
    const child = await startProcess('writeUntilRefused', file);
    child.send('begin');
    await once(child, 'message');
    await setTimeout(50);
    rmSync(`${file}-wal`);
    const [{ stored, error }] = await once(child, 'message');
    expect(error).toContain('-wal was removed or replaced');
    expect(stored.length).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await present(await openStore(file), stored)).toEqual(stored);
  });

  test('a file whose log was removed is refused to a process that starts, and loses nothing once the other processes end', async () => {
    const file = freshFile();
    const store = await openStore(file);
    await store.commit([put('kept')]);
    for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`);
    const said = await resultOf(await startProcess('open', `${file}?busyTimeoutMs=100`));
    expect(said).toMatch(/^StoreUnfitError: .*-wal was removed while another process uses/);
    await store.close();
    expect(await present(await openStore(file), ['kept'])).toEqual(['kept']);
  });

  test('the file stays the same after its log was truncated, and after another process has opened and closed it', async () => {
    const file = freshFile();
    const store = await openStore(file);
    await store.commit([put('kept')]);
    connect(file).exec('pragma wal_checkpoint(truncate)');
    expect(await resultOf(await startProcess('open', file))).toBe('opened');
    await store.ping();
    await store.commit([put('kept too')]);
    expect(await present(store, ['kept', 'kept too'])).toEqual(['kept', 'kept too']);
  });

  test('says so when it is replaced while it is in use', async () => {
    const file = freshFile();
    const store = await openStore(file);
    await store.commit([put('taken back in the other')]);
    const other = join(dirname(file), 'other.db');
    await (await openStore(other)).close();
    renameSync(other, file);
    await expect(store.ping()).rejects.toThrow('replaced');
    await expect(present(store, ['taken back in the other'])).rejects.toThrow('replaced');
    await expect(store.list({ kind: 'client', limit: 1 })).rejects.toThrow('replaced');
  });
});
