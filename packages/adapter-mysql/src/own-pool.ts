import type { Connection, RowDataPacket } from 'mysql2';
import mysql, { type Pool } from 'mysql2/promise';
import type { Address } from './address.ts';
import { isUnknownVariable } from './faults.ts';
import { type RunOn, runInSession, runOnNode } from './run-on.ts';

/**
 * The settings of a session, whatever the server's defaults are. Under _read committed_ there are no locks on gaps, which logins
 * would run into. A value that does not fit must be an error and not be cut: two ids would become one.
 */
const sessionSettings = (timeoutMs: number): string => {
  const seconds = Math.max(1, Math.floor(timeoutMs / 2_500));
  return [
    'set session transaction isolation level read committed',
    // With another completion_type, `commit` would begin a transaction, to which the next commit would be added.
    `set session autocommit = 1, completion_type = 0, sql_mode = 'STRICT_ALL_TABLES', innodb_lock_wait_timeout = ${seconds}` +
      // MariaDB only; before the client gives up, so that the statement has ended on the server, too.
      ` /*M! , max_statement_time = ${((timeoutMs * 0.9) / 1_000).toFixed(3)} */`,
  ].join('; ');
};

/**
 * Reads, and changes of the records that they find, wait until the node has carried out what the others have committed.
 * An insert needs no wait: of two nodes that insert one key, one is refused.
 */
const nodeSettings = 'select 1 where @@wsrep_on; set session wsrep_sync_wait = 3, wsrep_dirty_reads = 0';

/**
 * Sends the settings before the first statement of the connection. A connection that lacks one is not used. Resolves with
 * how a batch runs on the server; MySQL, and a MariaDB that was built without Galera, do not know the variables.
 */
const prepare = (connection: Connection, timeoutMs: number): Promise<RunOn> => {
  connection.query(sessionSettings(timeoutMs), (error) => {
    if (error) connection.destroy();
  });
  return new Promise((resolve) => {
    connection.query<RowDataPacket[][]>(nodeSettings, (error, answers) => {
      if (error && !isUnknownVariable(error)) connection.destroy();
      resolve(error || answers[0]?.length === 0 ? runInSession : runOnNode);
    });
  });
};

/** A pool of our own, and how a batch runs on one of its connections. */
export const openOwnPool = ({
  server,
  poolSize,
  timeoutMs,
}: Address): { readonly pool: Pool; readonly runOn: RunOn } => {
  const pool = mysql.createPool({
    ...server,
    connectionLimit: poolSize,
    connectTimeout: timeoutMs,
    multipleStatements: true,
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    flags: ['-LOCAL_FILES'],
    enableKeepAlive: true,
    keepAliveInitialDelay: 10_000,
    connectAttributes: { program_name: 'carnet' },
  });
  const prepared = new WeakMap<object, Promise<RunOn>>();
  pool.pool.on('connection', (connection) => void prepared.set(connection, prepare(connection, timeoutMs)));
  return {
    pool,
    async runOn(connection, batch, deadline) {
      const run = await deadline
        .within(prepared.get(connection.connection) ?? Promise.resolve(runOnNode))
        .catch((error: unknown) => {
          connection.destroy();
          throw error;
        });
      return run(connection, batch, deadline);
    },
  };
};
