import type { Deadline } from '@carnet/adapter-contract/sql';
import type { PoolConnection, QueryOptions } from 'mysql2/promise';
import { faultOf, leavesSessionUsable, PacketError } from './faults.ts';

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

type Options = Pick<QueryOptions, 'typeCast'>;

/** A server that is fit for use accepts packets of this size. */
export const leastPacketBytes = 4_194_304;

/** Rows as arrays, also in the pool of an app that sets `nestTables`. */
const query = async (connection: PoolConnection, sql: string, options: Options = {}): Promise<unknown> =>
  (await connection.query({ ...options, sql, rowsAsArray: true, nestTables: false }))[0];

/**
 * A server closes the connection at a packet that is too large, often before it has answered: the outcome would be unknown, and
 * the commits in the same packet would fail, too. So the limit is read before a statement that any server may refuse. All
 * statements are ASCII.
 *
 * @throws PacketError if the server would refuse the statement
 */
const assertWithinPacket = async (connection: PoolConnection, { length }: string): Promise<void> => {
  // The packet has one more byte, and a server refuses one of exactly its limit.
  const isAllowed = (most: number): boolean => length + 1 < most;
  if (isAllowed(leastPacketBytes)) return;
  const [[most]] = (await query(connection, 'select @@max_allowed_packet')) as [[number | string]];
  if (!isAllowed(Number(most)))
    throw new PacketError(
      `A statement of ${length} bytes exceeds max_allowed_packet of the server (${most}). It was not sent.`,
    );
};

const send = async (connection: PoolConnection, sql: string, options?: Options): Promise<unknown> => {
  await assertWithinPacket(connection, sql);
  try {
    return await query(connection, sql, options);
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

/** Each statement is sent after the answer to the one before it. */
const runStepwise =
  (first: readonly string[], options?: Options): RunOn =>
  (connection, batch, deadline) =>
    withConnection(connection, deadline, batch, async () => {
      const answers: Answer[] = [];
      for (const statement of [...first, begin]) await deadline.within(connection.query(statement));
      for (const statement of batch.statements)
        answers.push((await deadline.within(send(connection, statement, options))) as Answer);
      await deadline.within(connection.query('commit'));
      return answers;
    });

/** Replaces the conversion of an app, for example of `tinyint(1)` to a boolean: records would lose their grants. */
const unconverted: Options = { typeCast: (_field, next) => next() };

/**
 * On a connection of the app, which may not take several statements at once. Each batch is a transaction, so that it does
 * not depend on the `autocommit` of the session, and sees what was committed before it.
 */
export const runInTransaction: RunOn = runStepwise(['set transaction isolation level read committed'], unconverted);

const inSteps = runStepwise([]);

/**
 * On a connection of our own to a node of Galera. A commit of another node may undo the transaction between two statements of
 * one text, and the node would carry out the rest without it: a code was redeemed on two nodes. Between two texts, the
 * second one is refused (1213). Sending them one by one is what makes the condition of a commit hold for all of it.
 */
export const runOnNode: RunOn = (connection, batch, deadline) =>
  (batch.isTransaction && batch.statements.length > 1 ? inSteps : runInSession)(connection, batch, deadline);
