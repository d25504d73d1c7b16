import { setTimeout as pause } from 'node:timers/promises';
import { openAdapter, openMigrator } from '@carnet/adapter-mysql';
import mysql, { type Connection } from 'mysql2/promise';
import { storesOf } from '../../adapter-contract/test/sql-stores.ts';

export {
  claim,
  consume,
  freshId,
  freshRecord,
  merge,
  put,
  remove,
  revoke,
} from '../../adapter-contract/src/laws/records.ts';
export { loginWrites } from '../../adapter-contract/test/login-writes.ts';

export const { createStore, withMigrator, withStore } = storesOf({ openAdapter, openMigrator });

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

/** InnoDB refreshes the list of its transactions only if it was not read for 100 ms. */
const innodbRefreshMs = 150;

/** The sessions that wait for a lock, once there is one. */
export const untilWaiting = async (url: string): Promise<readonly unknown[]> => {
  const waiting = "select trx_mysql_thread_id as id from information_schema.innodb_trx where trx_state = 'LOCK WAIT'";
  for (;;) {
    await pause(innodbRefreshMs);
    const rows = await query(url, waiting);
    if (rows.length > 0) return rows.map(({ id }) => id);
  }
};
