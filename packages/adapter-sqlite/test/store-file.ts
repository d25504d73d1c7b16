import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StorageAdapter } from '@carnet/adapter-contract';
import { openSqliteAdapter, type SqliteAdapterOptions } from '@carnet/adapter-sqlite';
import { onTestFinished } from 'vitest';

/** A file name in a folder of its own, which goes at the end of the test. */
export const freshFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-sqlite-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'carnet.db');
};

/** A store that is closed at the end of the test. */
export const openStore = async (
  file: string,
  { query = '', ...options }: Partial<SqliteAdapterOptions> & { readonly query?: string } = {},
): Promise<StorageAdapter> => {
  const store = await openSqliteAdapter({ url: `sqlite:${file}${query}`, ...options });
  onTestFinished(() => store.close());
  return store;
};

/** Another program's connection to the file. */
export const connect = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file);
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  return database;
};
