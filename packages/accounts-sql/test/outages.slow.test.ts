import { DatabaseSync } from 'node:sqlite';
import { createPasswordHashing } from '@carnet/accounts/directory';
import { startPostgres } from '@carnet/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAttemptStore, createFactorStore, createUsers, openSqlDirectory } from '../src/index.ts';
import { openUntilEnd, useDatabases } from './databases.ts';

const { createUrl } = useDatabases();
const hashing = createPasswordHashing();

describe('an accounts database in Postgres', () => {
  it('a database that does not answer is an outage within the timeout, and works again when it answers', {
    timeout: 60_000,
  }, async () => {
    const server = await startPostgres();
    onTestFinished(() => server.close());
    const database = await openUntilEnd(`${server.url}?timeout=500&pool=3`);
    const directory = openSqlDirectory({ database, name: 'local', hashing });
    const calls = () => [
      directory.find('ada'),
      directory.load('0b3b8c62-0000-4000-8000-000000000000'),
      createUsers({ database, hashing }).create({ username: 'ada' }),
      createFactorStore({ database }).claim('claim', Date.now() + 60_000),
      createAttemptStore({ database }).increment('key', 60),
    ];
    server.pause();
    const begin = performance.now();
    const results = await Promise.allSettled(calls());
    expect(performance.now() - begin).toBeLessThan(5_000);
    for (const result of results)
      expect(result).toMatchObject({ status: 'rejected', reason: { name: 'DirectoryError', code: 'unavailable' } });
    expect(await directory.check()).toMatchObject([{ ok: false }]);
    server.resume();
    await expect.poll(() => directory.check()).toMatchObject([{ ok: true }]);
    for (const result of await Promise.allSettled(calls())) expect(result.status).toBe('fulfilled');
  });
});

describe('an accounts database in SQLite', () => {
  it('waits for the lock of another process, and reports an outage after the timeout', async () => {
    const url = await createUrl('sqlite');
    const database = await openUntilEnd(`${url}?timeout=300`);
    const other = new DatabaseSync(url.slice('sqlite:'.length));
    onTestFinished(() => other.close());
    const factors = createFactorStore({ database });

    other.exec('begin immediate');
    const waiting = factors.claim('waits', Date.now() + 60_000);
    setTimeout(() => other.exec('commit'), 50);
    expect(await waiting).toBe(true);

    other.exec('begin immediate');
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
    }, 10);
    await expect(factors.claim('refused', Date.now() + 60_000)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('locked'),
    });
    clearInterval(ticking);
    // The event loop was free while the statement waited.
    expect(ticks).toBeGreaterThan(5);
    expect(await factors.list('subject')).toEqual([]);
    other.exec('rollback');
    expect(await factors.claim('refused', Date.now() + 60_000)).toBe(true);
  });

  it('names the remedy for a missing folder, and for a file that is no database', async () => {
    await expect(openUntilEnd('sqlite:/missing/folder/accounts.db')).rejects.toThrow('The folder of the SQLite file');
    await expect(openUntilEnd('sqlite:/etc/hostname')).rejects.toMatchObject({ code: 'unavailable' });
  });
});
