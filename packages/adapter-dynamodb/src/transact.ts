import { randomUUID } from 'node:crypto';
import { type Action, isConditional } from './action.ts';
import { type CallContext, repeatCall } from './call-context.ts';
import { DynamoDbError, isCollision, isConditionFailed, isInProgress, isTooLarge } from './faults.ts';
import type { CancellationReason } from './wire.ts';

/** A single put or removal without a condition has the same effect if it is sent twice. It costs half of a transaction. */
const sendAlone = ({ item }: Action, context: CallContext): Promise<unknown> | undefined => {
  const { connection, deadline } = context;
  if ('Put' in item) return repeatCall(() => connection.call('PutItem', item.Put, deadline), context);
  if ('Delete' in item) return repeatCall(() => connection.call('DeleteItem', item.Delete, deadline), context);
  return undefined;
};

/**
 * Sends a transaction. It is sent again with the same token if no answer came: DynamoDB carries out a token once within ten
 * minutes, and confirms it again.
 *
 * @returns the reasons if a condition failed: one for each action
 */
export const transact = async (
  actions: readonly Action[],
  context: CallContext,
): Promise<readonly CancellationReason[] | undefined> => {
  const { connection, deadline } = context;
  const [first, ...others] = actions;
  const alone = first && others.length === 0 && !isConditional(first) ? sendAlone(first, context) : undefined;
  if (alone !== undefined) return void (await alone);
  const TransactItems = actions.map(({ item }) => item);
  let token = randomUUID();
  const attempt = async () => {
    try {
      await connection.call('TransactWriteItems', { TransactItems, ClientRequestToken: token }, deadline);
    } catch (error) {
      // Nothing was carried out: the next attempt is another transaction.
      if (isCollision(error) && !isInProgress(error)) token = randomUUID();
      throw error;
    }
  };
  try {
    await repeatCall(attempt, context);
  } catch (error) {
    if (isTooLarge(error)) throw new RangeError('A record would become larger than an item may be.', { cause: error });
    if (error instanceof DynamoDbError && !isCollision(error) && error.reasons.some(isConditionFailed))
      return error.reasons;
    throw error;
  }
  return undefined;
};
