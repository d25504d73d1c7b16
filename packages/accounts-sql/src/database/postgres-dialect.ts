import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Address } from './address.ts';
import { toOutage } from './failure.ts';

type PostgresAddress = Extract<Address, { engine: 'postgres' }>;

const int8 = 20;

/** Times and counts are `bigint` columns. Their values are safe integers, and numbers in JavaScript. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (id === int8 ? Number : pg.types.getTypeParser(id, format)) as never,
};

const ignore = () => {};

const createPool = ({ connectionString, poolSize, timeoutMs }: PostgresAddress, isForMigration: boolean): pg.Pool => {
  const deadlines = {
    query_timeout: timeoutMs,
    // Statements end before the client gives up, so that none takes effect after the caller got an error.
    statement_timeout: Math.ceil(timeoutMs * 0.9),
    idle_in_transaction_session_timeout: timeoutMs,
  };
  const pool = new pg.Pool({
    connectionString,
    max: isForMigration ? 1 : poolSize,
    connectionTimeoutMillis: timeoutMs,
    // A migration may create an index on a large table: it has no deadline.
    ...(isForMigration ? {} : deadlines),
    options: '-c default_transaction_isolation=read\\ committed',
    fallback_application_name: 'carnet-accounts',
    keepAlive: true,
    types,
  });
  // A connection may fail while it is idle, and again while it is closed. Neither must end the process.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
};

/** Closes a connection after a failure that is not an answer of the server, because the connection may still be busy. */
const withOutages = (client: pg.PoolClient): PostgresPoolClient => {
  let isBroken = false;
  const query = async (text: string, values: readonly unknown[]) => {
    try {
      return await client.query(text, [...values]);
    } catch (error) {
      isBroken ||= !(error instanceof pg.DatabaseError);
      throw toOutage(error);
    }
  };
  // Cursors, the other signature of `query`, are not used.
  return { query: query as never, release: () => client.release(isBroken) };
};

export const postgresDialect = (address: PostgresAddress, isForMigration: boolean): Dialect => {
  const pool = createPool(address, isForMigration);
  const connect = async (): Promise<PostgresPoolClient> => {
    try {
      return withOutages(await pool.connect());
    } catch (error) {
      throw toOutage(error);
    }
  };
  const wrapped: PostgresPool = { connect, end: () => pool.end(), options: pool.options };
  return new PostgresDialect({ pool: wrapped });
};
