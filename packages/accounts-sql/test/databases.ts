import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPostgresOwn, openTestPostgres, type TestPostgres } from '@carnet/test-servers';
import pg from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type AccountsDatabase, openAccountsDatabase } from '../src/index.ts';

/** The engines that every test of the accounts database runs on. */
export const engines = ['sqlite', 'postgres'] as const;
export type Engine = (typeof engines)[number];

let server: TestPostgres;
let folder: string;
let count = 0;

const newPath = (): string => {
  count += 1;
  return join(folder, `${count}.db`);
};

/** Databases of files that have ended, with the tables of the accounts and without rows: a tenth of the time of new ones. */
const emptied: string[] = [];
/** The Postgres databases of this file. */
const used: string[] = [];

/** The names of steps that were applied are no rows of a test. */
const deleteRows = `DO $$ DECLARE name text; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'carnet_accounts_migration' LOOP
    EXECUTE format('DELETE FROM %I', name);
  END LOOP;
END $$`;

const empty = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(deleteRows);
  await client.end();
};

/** A server whose databases are there for the files after this one, or a server that is to be left as it was found. */
const openServer = async (): Promise<TestPostgres> => {
  const opened = await openTestPostgres();
  return isPostgresOwn() ? { ...opened, close: async () => {} } : opened;
};

const takeDatabase = async (): Promise<string> => {
  const url = emptied.pop() ?? (await server.createDatabase());
  used.push(url);
  return url;
};

/** The file of a database with the tables of the accounts: to copy it takes a fifth of the time of its migrations. */
let migrated: Buffer | undefined;

const readMigrated = async (): Promise<Buffer> => {
  const path = join(folder, 'migrated.db');
  const database = await openAccountsDatabase({ url: `sqlite:${path}`, migrate: true });
  await database.close();
  return readFileSync(path);
};

const copyMigrated = async (): Promise<string> => {
  migrated ??= await readMigrated();
  const path = newPath();
  writeFileSync(path, migrated, { mode: 0o600 });
  return `sqlite:${path}`;
};

interface Databases {
  /** A database without users, which may have its tables already. */
  readonly createUrl: (engine: Engine) => Promise<string>;
  /** A database without tables. */
  readonly createEmptyUrl: (engine: Engine) => Promise<string>;
}

/** Starts the servers of a test file. */
export const useDatabases = (): Databases => {
  beforeAll(async () => {
    server = await openServer();
    folder = mkdtempSync(join(tmpdir(), 'carnet-accounts-'));
  });
  afterAll(async () => {
    const left = used.splice(0);
    if (isPostgresOwn()) {
      await Promise.all(left.map(empty));
      emptied.push(...left);
    }
    await server.close();
    rmSync(folder, { recursive: true });
  });
  return {
    createUrl: (engine) => (engine === 'postgres' ? takeDatabase() : copyMigrated()),
    createEmptyUrl: async (engine) => (engine === 'postgres' ? server.createDatabase() : `sqlite:${newPath()}`),
  };
};

/** A database that is closed at the end of the test. */
export const openUntilEnd = async (url: string, now?: () => number): Promise<AccountsDatabase> => {
  const database = await openAccountsDatabase({ url, migrate: true, now });
  onTestFinished(() => database.close());
  return database;
};
