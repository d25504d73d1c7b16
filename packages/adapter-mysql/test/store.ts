import type { Migrator, StorageAdapter } from '@carnet/adapter-contract';
import { openMigrator, openMysqlAdapter } from '@carnet/adapter-mysql';
import type { TestMariadb } from '@carnet/test-servers';
import mysql, { type Connection } from 'mysql2/promise';

export { claim, consume, freshId, freshRecord, put, revoke } from '../../adapter-contract/src/laws/records.ts';
export { loginWrites } from '../../adapter-contract/test/login-writes.ts';

/** Opens the migrations of a store and closes them. */
export const withMigrator = async <T>(
  store: Parameters<typeof openMigrator>[0],
  use: (migrator: Migrator) => Promise<T>,
): Promise<T> => {
  const migrator = await openMigrator(store);
  try {
    return await use(migrator);
  } finally {
    await migrator.close();
  }
};

/** The URL of a fresh database with the tables in place. */
export const createStore = async (server: TestMariadb): Promise<string> => {
  const url = await server.createDatabase();
  await withMigrator({ url }, (migrator) => migrator.up());
  return url;
};

/** Use a store and close it. */
export const withStore = async <T>(url: string, use: (store: StorageAdapter) => Promise<T>): Promise<T> => {
  const store = openMysqlAdapter({ url });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
};

/** Use a connection of our own, beside the adapter's. */
export const withConnection = async <T>(url: string, use: (connection: Connection) => Promise<T>): Promise<T> => {
  const connection = await mysql.createConnection(url);
  connection.on('error', () => {});
  try {
    return await use(connection);
  } finally {
    connection.destroy();
  }
};

/** The rows that a query returns. */
export const query = (url: string, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  withConnection(url, async (connection) => {
    const [rows] = await connection.query(sql);
    return Array.isArray(rows) ? (rows as readonly Readonly<Record<string, unknown>>[]) : [];
  });
