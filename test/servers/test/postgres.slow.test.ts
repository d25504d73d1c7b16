import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openTestPostgres, type PostgresServer, startPostgres } from '../src/index.ts';
import { ordinaryUser } from '../src/ordinary-user.ts';
import { findPostgresBinaries, placeBinaries } from '../src/postgres-binaries.ts';
import { query } from './query.ts';
import { isSilent } from './silence.ts';

/** `undefined`: whichever is found first. */
const withBinaries = async <T>(source: string | undefined, work: () => T): Promise<Awaited<T>> => {
  vi.stubEnv('CARNET_TEST_POSTGRES_BIN', source);
  try {
    return await work();
  } finally {
    vi.unstubAllEnvs();
  }
};

describe.each([
  ['this machine', undefined],
  ['the npm package', 'embedded'],
])('a Postgres of %s', (_title, source) => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await withBinaries(source, () => startPostgres({ settings: { work_mem: '5MB' } }));
    await query(postgres.url, 'CREATE TABLE kept (word text)');
  });
  afterAll(() => postgres?.close());

  const words = async () =>
    (await query(postgres.url, 'SELECT string_agg(word, $$ $$ ORDER BY word) AS all FROM kept'))?.all;

  test('has the settings asked for, and does not give up fsync', async () => {
    expect(await query(postgres.url, 'SHOW work_mem')).toEqual({ work_mem: '5MB' });
    expect(await query(postgres.url, 'SHOW fsync')).toEqual({ fsync: 'on' });
  });

  test('keeps what was committed when it is killed, and when it is stopped', async () => {
    await query(postgres.url, "INSERT INTO kept VALUES ('killed')");
    const { pid } = postgres;
    await postgres.kill();
    await expect(query(postgres.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    await postgres.start();
    expect(postgres.pid).not.toBe(pid);
    await query(postgres.url, "INSERT INTO kept VALUES ('stopped')");
    await postgres.stop();
    await postgres.start();
    expect(await words()).toBe('killed stopped');
  });

  test('answers nobody while it is paused, neither on an open connection nor on a new one', async () => {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    postgres.pause();
    const onOpen = client.query('SELECT 1');
    const onNew = query(postgres.url, 'SELECT 1');
    expect(await Promise.all([isSilent(onOpen), isSilent(onNew)])).toEqual([true, true]);
    postgres.resume();
    await Promise.all([onOpen, onNew]);
    await client.end();
  });

  test('can be killed while it is paused', async () => {
    postgres.pause();
    await postgres.kill();
    await postgres.start();
    expect(await words()).toContain('killed');
  });

  test('creates databases that have nothing in them', async () => {
    const urls = await Promise.all([postgres.createDatabase(), postgres.createDatabase()]);
    expect(new Set(urls).size).toBe(2);
    for (const url of urls) await query(url, 'CREATE TABLE kept (word text)');
  });
});

test('with nothing on PATH the binaries are found elsewhere', async () => {
  vi.stubEnv('PATH', '/nowhere');
  const { folder, isEmbedded } = await withBinaries(undefined, findPostgresBinaries);
  expect(isEmbedded || folder.startsWith('/usr/lib/postgresql/')).toBe(true);
});

test('binaries that are not where they were said to be are not looked for elsewhere', async () => {
  await expect(withBinaries('/nowhere', startPostgres)).rejects.toThrow(
    'CARNET_TEST_POSTGRES_BIN names none: /nowhere',
  );
});

test('a server at DATABASE_URL is used, and left as it was', async () => {
  const postgres = await startPostgres();
  const databases = () => query(postgres.url, 'SELECT count(*) FROM pg_database');
  const before = await databases();
  vi.stubEnv('DATABASE_URL', postgres.url);
  const opened = await openTestPostgres();
  vi.unstubAllEnvs();
  const url = await opened.createDatabase();
  expect(new URL(url).port).toBe(`${postgres.port}`);
  await query(url, 'CREATE TABLE mine (word text)');
  expect(await databases()).not.toEqual(before);
  await opened.close();
  expect(await databases()).toEqual(before);
  await postgres.close();
});

test('a DATABASE_URL of another store means databases on a server that the files of a worker share', async () => {
  vi.stubEnv('DATABASE_URL', 'sqlite://./carnet.db');
  const [one, other] = await Promise.all([openTestPostgres(), openTestPostgres()]);
  vi.unstubAllEnvs();
  expect(new URL(one.url).host).toBe(new URL(other.url).host);
  await query(one.url, 'CREATE TABLE mine (word text)');
  await one.close();
  await expect(query(one.url, 'SELECT 1')).rejects.toThrow('does not exist');
  expect(await query(other.url, 'SELECT 1')).toBeDefined();
  await other.close();
});

test('a DATABASE_URL that is no URL is not repeated', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://me:secret@[');
  const opened = openTestPostgres();
  vi.unstubAllEnvs();
  await expect(opened).rejects.toThrow(/^DATABASE_URL is not a valid URL\.$/);
});

const user = ordinaryUser('postgres', 'nobody');

test.skipIf(user === undefined)('binaries that an ordinary user can not reach are copied (only root has to)', () => {
  const base = mkdtempSync(join(tmpdir(), 'carnet-binaries-'));
  chmodSync(base, 0o711);
  const hidden = join(base, 'hidden', 'bin');
  mkdirSync(hidden, { recursive: true, mode: 0o755 });
  writeFileSync(join(hidden, 'postgres'), '#!/bin/sh\necho copied\n', { mode: 0o755 });
  const placed = () => placeBinaries({ folder: hidden, isEmbedded: true }, user, join(base, 'copy'));
  expect(placed()).toBe(hidden);
  chmodSync(join(base, 'hidden'), 0o700);
  const command = join(placed(), 'postgres');
  chmodSync(join(base, 'copy'), 0o755);
  expect(execFileSync(command, { encoding: 'utf8', cwd: '/', ...user })).toBe('copied\n');
  rmSync(base, { recursive: true });
});
