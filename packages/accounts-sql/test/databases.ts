import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestPostgres, type TestPostgres } from '@carnet/test-servers';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type AccountsDatabase, openAccountsDatabase } from '../src/index.ts';

/** The engines that every test of the accounts database runs on. */
export const engines = ['sqlite', 'postgres'] as const;
export type Engine = (typeof engines)[number];

let server: TestPostgres;
let folder: string;
let count = 0;

/** Starts the servers of a test file. `createUrl` names a new, empty database. */
export const useDatabases = (): { readonly createUrl: (engine: Engine) => Promise<string> } => {
  beforeAll(async () => {
    server = await openTestPostgres();
    folder = mkdtempSync(join(tmpdir(), 'carnet-accounts-'));
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });
  return {
    async createUrl(engine) {
      count += 1;
      return engine === 'postgres' ? server.createDatabase() : `sqlite:${join(folder, `${count}.db`)}`;
    },
  };
};

/** A database that is closed at the end of the test. */
export const openUntilEnd = async (url: string, now?: () => number): Promise<AccountsDatabase> => {
  const database = await openAccountsDatabase({ url, migrate: true, now });
  onTestFinished(() => database.close());
  return database;
};
