import { setTimeout as pause } from 'node:timers/promises';
import { type Deadline, NotSentError, type RunOptions } from '@carnet/adapter-contract/sql';
import mysql, { type Pool, type PoolConnection } from 'mysql2/promise';
import type { Address, SharedPool } from './address.ts';
import { explain, isCollision, isLoss, wasNotRun } from './faults.ts';
import { type Answer, type Batch, type RunOn, runInSession, runInTransaction } from './run-on.ts';

export interface Connections {
  /** Answers in the order of the statements. @throws StoreUnfitError if an operator must act */
  run(batch: Batch, options: RunOptions): Promise<readonly Answer[]>;
  close(): Promise<void>;
}

const mostCollisions = 1;
const mostLosses = 2;

const ignore = () => {};

/**
 * The settings of a session, whatever the server's defaults are. Under _read committed_ there are no locks on gaps, which logins
 * would run into. A value that does not fit must be an error and not be cut: two ids would become one.
 */
const sessionSettings = (timeoutMs: number): string => {
  const seconds = Math.max(1, Math.floor(timeoutMs / 2_500));
  return [
    'set session transaction isolation level read committed',
    `set session autocommit = 1, sql_mode = 'STRICT_ALL_TABLES', innodb_lock_wait_timeout = ${seconds}` +
      // MariaDB only; before the client gives up, so that the statement has ended on the server, too.
      ` /*M! , max_statement_time = ${((timeoutMs * 0.9) / 1_000).toFixed(3)} */`,
  ].join('; ');
};

const createPool = ({ server, poolSize, timeoutMs }: Address): Pool => {
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
  // It is sent before the first statement of the connection. One that lacks the settings is not used.
  pool.pool.on('connection', (connection) => {
    connection.query(sessionSettings(timeoutMs), (error) => {
      if (error) connection.destroy();
    });
  });
  return pool;
};

/** A slot that is free only after the timeout goes to the next call. */
const checkOut = async (pool: Pool, { deadline, isAwaited = () => true }: RunOptions): Promise<PoolConnection> => {
  const connected = pool.getConnection();
  const connection = await deadline.within(connected, () => void connected.then((late) => late.release(), ignore));
  if (isAwaited()) return connection;
  connection.release();
  throw new NotSentError('The call has ended already.');
};

/** By chance, so that those who ran into each other do not again. */
const pauseBriefly = (deadline: Deadline): Promise<void> => deadline.within(pause(Math.random() * 20));

/**
 * Which failures are followed by another attempt. Law: what may have happened already is repeated only if that is
 * harmless.
 */
const createPatience = ({ isRepeatable, throwsCollisions = false }: RunOptions) => {
  let [collisions, losses] = [0, 0];
  return (error: unknown, wasSent: boolean): boolean => {
    if (error instanceof NotSentError) return false;
    if (isCollision(error)) {
      collisions += 1;
      return !throwsCollisions && collisions <= mostCollisions;
    }
    if (!isLoss(error)) return false;
    losses += 1;
    return losses <= mostLosses && (isRepeatable || !wasSent || wasNotRun(error));
  };
};

/** The pool, ours or that of the app. No connection is made before the first statement. */
export const openConnections = (address: Address | SharedPool): Connections => {
  const isShared = 'pool' in address;
  const pool = isShared ? address.pool : createPool(address);
  const runOn: RunOn = isShared ? runInTransaction : runInSession;
  let ended: Promise<void> | undefined;

  return {
    async run(batch, options) {
      const { deadline } = options;
      const mayRepeat = createPatience(options);
      for (;;) {
        let wasSent = false;
        try {
          const connection = await checkOut(pool, options);
          wasSent = true;
          return await runOn(connection, batch, deadline);
        } catch (error) {
          const isOver = ended !== undefined || deadline.isOver;
          if (isOver || !mayRepeat(error, wasSent)) throw explain(error);
          await pauseBriefly(deadline);
        }
      }
    },
    close() {
      ended ??= isShared ? Promise.resolve() : pool.end();
      return ended;
    },
  };
};
