import type { Deadline } from '@carnet/adapter-contract/sql';
import type { PoolConnection } from 'mysql2/promise';
import { faultOf, leavesSessionUsable } from './faults.ts';

/** Statements that are sent together. */
export interface Batch {
  readonly statements: readonly string[];
  /** Whether all of them are carried out or none is. */
  readonly isTransaction: boolean;
}

/** The answer to a statement: rows as arrays, or how many rows a change affected. */
export type Answer = readonly (readonly unknown[])[] | { readonly affectedRows: number };

/** Runs a batch on a connection, and releases the connection to its pool. Answers in the order of the statements. */
export type RunOn = (connection: PoolConnection, batch: Batch, deadline: Deadline) => Promise<readonly Answer[]>;

/** An error of the driver quotes the statement, which holds payloads. Errors reach the log, and payloads must not. */
const withoutStatement = (error: unknown): unknown => {
  if (error instanceof Error && 'sql' in error) delete error.sql;
  return error;
};

const send = async (connection: PoolConnection, sql: string): Promise<unknown> => {
  try {
    return (await connection.query({ sql, rowsAsArray: true }))[0];
  } catch (error) {
    throw withoutStatement(error);
  }
};

const isDone = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/** After an error the transaction is open, unless the server has undone it. */
const endAfter = async (connection: PoolConnection, error: unknown, deadline: Deadline): Promise<void> => {
  const isOver = leavesSessionUsable(error) && (await isDone(deadline.within(connection.query('rollback'))));
  // A connection that may still be busy, or gone, is destroyed: the next one to use it would be given its answer.
  if (isOver) connection.release();
  else connection.destroy();
};

const withConnection = async <T>(
  connection: PoolConnection,
  deadline: Deadline,
  { isTransaction }: Batch,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    const answer = await work();
    connection.release();
    return answer;
  } catch (thrown) {
    const error = faultOf(thrown, isTransaction);
    await endAfter(connection, error, deadline);
    throw error;
  }
};

const begin = 'start transaction';

/** On a connection of our own, whose session has the settings: one round trip. A single statement is a transaction by itself. */
export const runInSession: RunOn = (connection, batch, deadline) => {
  const { statements, isTransaction } = batch;
  const isWrapped = isTransaction && statements.length > 1;
  const all = isWrapped ? [begin, ...statements, 'commit'] : statements;
  return withConnection(connection, deadline, batch, async () => {
    const answer = await deadline.within(send(connection, all.join('; ')));
    const answers = (all.length === 1 ? [answer] : answer) as readonly Answer[];
    return isWrapped ? answers.slice(1, -1) : answers;
  });
};

/**
 * On a connection of the app, which may not take several statements at once. Each batch is a transaction, so that it does
 * not depend on the `autocommit` of the session, and sees what was committed before it.
 */
export const runInTransaction: RunOn = (connection, batch, deadline) =>
  withConnection(connection, deadline, batch, async () => {
    const answers: Answer[] = [];
    await deadline.within(connection.query('set transaction isolation level read committed'));
    await deadline.within(connection.query(begin));
    for (const statement of batch.statements)
      answers.push((await deadline.within(send(connection, statement))) as Answer);
    await deadline.within(connection.query('commit'));
    return answers;
  });
