import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openTestPostgres, startRedis } from '@carnet/test-servers';
import { afterAll, expect, test } from 'vitest';
import { type StorageConfig, storageSchema } from '../../src/storage/config.ts';
import { openMigrators, openStores } from '../../src/storage/open-storage.ts';
import { registerClient } from '../clients.ts';
import { start } from '../harness.ts';
import { introspect, login, refresh } from '../login.ts';

/** The commands of docs/operate/backup.md. */
const run = promisify(execFile);

const endings: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of endings.toReversed()) await end();
});

const folder = mkdtempSync(join(tmpdir(), 'carnet-backup-'));
endings.push(() => rmSync(folder, { recursive: true }));

interface Restored {
  readonly url: string;
  /** Executes a statement in the restored database. */
  execute?(sql: string): unknown;
}

interface Backed {
  readonly url: string;
  /** Makes a backup. @returns a function that restores it */
  backup(): Promise<() => Promise<Restored>>;
}

const executeInFile =
  (file: string) =>
  (sql: string): void => {
    const database = new DatabaseSync(file);
    database.exec(sql);
    database.close();
  };

const sqlite = async (): Promise<Backed> => {
  const [file, copy, restored] = ['carnet.db', 'backup.db', 'restored.db'].map((name) => join(folder, name));
  return {
    url: `sqlite:${file}`,
    async backup() {
      executeInFile(`${file}`)(`vacuum into '${copy}'`);
      return async () => {
        copyFileSync(`${copy}`, `${restored}`);
        return { url: `sqlite:${restored}`, execute: executeInFile(`${restored}`) };
      };
    },
  };
};

const postgres = async (): Promise<Backed> => {
  const server = await openTestPostgres();
  endings.push(() => server.close());
  const url = await server.createDatabase();
  const file = join(folder, 'carnet.dump');
  return {
    url,
    async backup() {
      await run('pg_dump', ['--format=custom', `--file=${file}`, url]);
      return async () => {
        const target = await server.createDatabase();
        await run('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${target}`, file]);
        return { url: target, execute: (sql) => run('psql', [target, '-c', sql]) };
      };
    },
  };
};

const restoreRedis = async (file: string): Promise<Restored> => {
  // With appendonly, Redis would start from an empty log instead of the snapshot.
  const target = await startRedis({ config: { appendonly: 'no' } });
  endings.push(() => target.close());
  const [, data] = (await target.command('CONFIG', 'GET', 'dir')) as [string, string];
  await target.kill();
  copyFileSync(file, join(data, 'dump.rdb'));
  await target.start();
  await target.command('CONFIG', 'SET', 'appendonly', 'yes');
  while (!`${await target.command('INFO', 'persistence')}`.includes('aof_rewrite_in_progress:0')) await delay(20);
  return { url: target.url };
};

const redis = async (): Promise<Backed> => {
  const server = await startRedis();
  endings.push(() => server.close());
  const file = join(folder, 'backup.rdb');
  return {
    url: server.url,
    async backup() {
      await run('redis-cli', ['-u', server.url, '--rdb', file]);
      return () => restoreRedis(file);
    },
  };
};

const storageAt = (url: string) => storageSchema.parse({ default: url }) as StorageConfig;

const openAt = async (url: string) => {
  const { stores, close } = await openStores(storageAt(url));
  endings.push(close);
  return stores.tokens;
};

const migrate = async (url: string): Promise<void> => {
  for (const migrator of (await openMigrators(storageAt(url))).values()) {
    await migrator.up();
    await migrator.close();
  }
};

const keptKinds = "'client', 'key', 'trusted_issuer', 'registration_token'";

test.each([
  ['SQLite', sqlite],
  ['Postgres', postgres],
  ['Redis', redis],
])('%s: tokens of a restored backup are valid, users sign in, and later changes are undone', async (_name, open) => {
  const { url, backup } = await open();
  await migrate(url);
  const before = await start({ adapter: await openAt(url) });
  const client = await registerClient(before, 'shop');
  const [kept, revoked] = [await login(before, client), await login(before, client)];
  const restore = await backup();
  const successor = (await refresh(before, client, kept.refresh_token)).body;
  await before.carnet.tokens.revoke(String(revoked.access_token));
  await before.stop();

  const restored = await restore();
  const after = await start({ adapter: await openAt(restored.url) });
  endings.push(() => after.stop());
  expect(await introspect(after, kept.access_token)).toMatchObject({ active: true });
  expect(await login(after, client)).toHaveProperty('id_token');
  // What docs/operate/backup.md warns of.
  expect(await introspect(after, revoked.access_token)).toMatchObject({ active: true });
  expect(await introspect(after, successor.access_token)).toMatchObject({ active: false });
  expect((await refresh(after, client, successor.refresh_token)).body.error).toBe('invalid_grant');
  expect((await refresh(after, client, kept.refresh_token)).status).toBe(200);

  if (restored.execute === undefined) return;
  // The safe procedure of the same page.
  await restored.execute(`delete from carnet_record where kind not in (${keptKinds})`);
  expect(await introspect(after, revoked.access_token)).toMatchObject({ active: false });
  expect((await refresh(after, client, kept.refresh_token)).body.error).toBe('invalid_grant');
  expect(await login(after, client)).toHaveProperty('id_token');
});
