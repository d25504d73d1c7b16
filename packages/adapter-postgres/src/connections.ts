import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Address, SharedPool } from './address.ts';
import type { Deadline } from './deadline.ts';
import { explain, isCollision, isLoss, isStale, leavesSessionUsable, NotSentError } from './faults.ts';
import type { Statement } from './statements.ts';

/** A statement and what it is to be run with. */
export interface Prepared extends Statement {
  readonly values: readonly unknown[];
}

interface RunOptions {
  readonly deadline: Deadline;
  /** Whether running it twice comes to the same as once. */
  readonly isRepeatable: boolean;
  /** Whether it is left to the caller what to do when it ran into another transaction. Default: it is tried again. */
  readonly throwsCollisions?: boolean;
  /** Asked when there is a connection, right before anything is sent. Default: it is still awaited. */
  readonly isAwaited?: () => boolean;
}

export interface Connections {
  /** Returns the rows as arrays. @throws StoreUnfitError if an operator must act */
  run(prepared: Prepared, options: RunOptions): Promise<readonly (readonly unknown[])[]>;
  close(): Promise<void>;
}

const mostLosses = 2;

/** A connection may fail while it is idle, and again while it is closed. Neither ends the process. */
const ignore = () => {};

const createPool = ({ connectionString, settings, poolSize, timeoutMs }: Address): pg.Pool => {
  const pool = new pg.Pool({
    connectionString,
    options: settings,
    max: poolSize,
    connectionTimeoutMillis: timeoutMs,
    fallback_application_name: 'carnet',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
};

/** A slot that is free only after the timeout goes to the next call. */
const checkOut = async (pool: pg.Pool, { deadline, isAwaited = () => true }: RunOptions): Promise<pg.PoolClient> => {
  const connected = pool.connect();
  const client = await deadline.within(connected, () => void connected.then((late) => late.release(), ignore));
  if (isAwaited()) return client;
  client.release();
  throw new NotSentError('The call has ended already.');
};

type RunOn = (
  client: pg.PoolClient,
  prepared: Prepared,
  deadline: Deadline,
) => Promise<readonly (readonly unknown[])[]>;

const query = async (client: pg.PoolClient, { name, text, values }: Prepared, deadline: Deadline) => {
  const { rows } = await deadline.within(client.query({ name, text, values: [...values], rowMode: 'array' }));
  return rows as readonly (readonly unknown[])[];
};

const runOn: RunOn = async (client, prepared, deadline) => {
  try {
    const rows = await query(client, prepared, deadline);
    client.release();
    return rows;
  } catch (error) {
    // A connection that may still be busy, or gone, is destroyed: the next one to use it would be given its answer.
    client.release(!leavesSessionUsable(error));
    throw error;
  }
};

/**
 * On a connection of the app, the settings apply to one transaction, so that the session of the app does not change.
 * The error
 * listener is required: an unhandled error event of a connection would end the process.
 */
const runInTransaction = (settings: string): RunOn => {
  const begin = `begin isolation level repeatable read; ${settings}`;
  return async (client, prepared, deadline) => {
    client.on('error', ignore);
    const release = (isBroken: boolean): void => {
      client.off('error', ignore);
      client.release(isBroken);
    };
    try {
      await deadline.within(client.query(begin));
      const rows = await query(client, prepared, deadline);
      await deadline.within(client.query('commit'));
      release(false);
      return rows;
    } catch (error) {
      const isOver = leavesSessionUsable(error) && (await isDone(deadline.within(client.query('rollback'))));
      release(!isOver);
      throw error;
    }
  };
};

const isDone = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/** Twice as long each time, by chance, so that those who ran into each other do not again. */
const pauseAfter = (attempt: number, deadline: Deadline): Promise<void> =>
  deadline.within(pause(Math.random() * Math.min(2 ** attempt, 100)));

/**
 * Which failures are followed by another attempt. Law: what may have happened already is repeated only if that is
 * harmless.
 */
const createPatience = ({ isRepeatable, throwsCollisions = false }: RunOptions) => {
  let losses = 0;
  return (error: unknown, wasSent: boolean): boolean => {
    if (error instanceof NotSentError) return false;
    if (isCollision(error)) return !throwsCollisions;
    if (!isStale(error) && !isLoss(error)) return false;
    losses += 1;
    return losses <= mostLosses && (isRepeatable || !wasSent || isStale(error));
  };
};

/**
 * The pool, ours or that of the app, and what may go wrong on the way to the server. No connection is made before the
 * first statement.
 */
export const openConnections = (address: Address | SharedPool): Connections => {
  const isOurs = !('pool' in address);
  const pool = isOurs ? createPool(address) : address.pool;
  const runOnce = isOurs ? runOn : runInTransaction(address.settings);
  let ended: Promise<void> | undefined;
  return {
    async run(prepared, options) {
      const { deadline } = options;
      const mayRepeat = createPatience(options);
      for (let attempt = 1; ; attempt++) {
        let wasSent = false;
        try {
          const client = await checkOut(pool, options);
          wasSent = true;
          return await runOnce(client, prepared, deadline);
        } catch (error) {
          if (pool.ending || deadline.isOver || !mayRepeat(error, wasSent)) throw explain(error);
          await pauseAfter(attempt, deadline);
        }
      }
    },
    close() {
      ended ??= isOurs ? pool.end() : Promise.resolve();
      return ended;
    },
  };
};
