import type { Deadline } from '@carnet/adapter-contract/sql';
import type pg from 'pg';
import { leavesSessionUsable } from './faults.ts';
import { type Setting, toTransactionBegin } from './session-settings.ts';
import type { Statement } from './statements.ts';

/** A statement and what it is to be run with. */
export interface Prepared extends Statement {
  readonly values: readonly unknown[];
}

export type Rows = readonly (readonly unknown[])[];

/** Runs a statement on a connection, and releases the connection to its pool. */
export type RunOn = (client: pg.PoolClient, prepared: Prepared, deadline: Deadline) => Promise<Rows>;

/** A connection may fail while it is idle, and again while it is closed. Neither ends the process. */
export const ignore = () => {};

/** Without a name, the statement is parsed each time, and belongs to no session. */
const query = async (client: pg.PoolClient, { name, text, values }: Prepared, isNamed = true): Promise<Rows> => {
  const { rows } = await client.query({ ...(isNamed && { name }), text, values: [...values], rowMode: 'array' });
  return rows as Rows;
};

/** On a connection of our own, whose session has the settings: one statement without a transaction block. */
export const runInSession: RunOn = async (client, prepared, deadline) => {
  try {
    const rows = await deadline.within(query(client, prepared));
    client.release();
    return rows;
  } catch (error) {
    // A connection that may still be busy, or gone, is destroyed: the next one to use it would be given its answer.
    client.release(!leavesSessionUsable(error));
    throw error;
  }
};

/**
 * On a connection to a pooler that gives each transaction another session. The transaction is sent whole, in one round
 * trip: Postgres answers a commit after a failed statement with a rollback.
 */
export const runInPipeline = (settings: readonly Setting[], { isNamed }: { readonly isNamed: boolean }): RunOn => {
  const begin = toTransactionBegin(settings);
  const send = (client: pg.PoolClient, prepared: Prepared) => {
    const { stream } = client.connection;
    stream.cork();
    const sent = [client.query(begin), query(client, prepared, isNamed), client.query('commit')] as const;
    stream.uncork();
    return Promise.allSettled(sent);
  };
  return async (client, prepared, deadline) => {
    let isUsable = false;
    try {
      const [begun, answered, ended] = await deadline.within(send(client, prepared));
      isUsable = ended.status === 'fulfilled';
      if (answered.status === 'fulfilled' && ended.status === 'fulfilled') return answered.value;
      // The first failure is the reason of those after it.
      const failed = [begun, answered, ended].find(({ status }) => status === 'rejected') as PromiseRejectedResult;
      isUsable &&= leavesSessionUsable(failed.reason);
      throw failed.reason;
    } finally {
      // Before pg closes a connection it awaits all answers, which may never come.
      if (!isUsable) client.connection.stream.destroy();
      client.release(!isUsable);
    }
  };
};

const isDone = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/**
 * On a connection of the app, the settings apply to one transaction, so that the session of the app does not change.
 * The error listener is required: an unhandled error event of a connection would end the process.
 */
export const runInTransaction = (settings: readonly Setting[]): RunOn => {
  const begin = toTransactionBegin(settings);
  return async (client, prepared, deadline) => {
    client.on('error', ignore);
    const release = (isBroken: boolean): void => {
      client.off('error', ignore);
      client.release(isBroken);
    };
    try {
      await deadline.within(client.query(begin));
      const rows = await deadline.within(query(client, prepared));
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
