import { randomUUID } from 'node:crypto';
import { repeat } from '@carnet/adapter-contract/kit';
import { type Action, isConditional } from './action.ts';
import type { CallContext } from './call-context.ts';
import { DynamoDbError, isCollision, isConditionFailed, isInProgress, isOutage, isTooLarge } from './faults.ts';
import type { CancellationReason } from './wire.ts';

/** A single put or removal without a condition has the same effect if it is sent twice. It costs half of a transaction. */
const sendAlone = ({ item }: Action, { connection, deadline }: CallContext): Promise<unknown> | undefined => {
  const retries = { isCollision, isOutage };
  if ('Put' in item) return repeat(() => connection.call('PutItem', item.Put, deadline), deadline, retries);
  if ('Delete' in item) return repeat(() => connection.call('DeleteItem', item.Delete, deadline), deadline, retries);
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
    await repeat(attempt, deadline, { isCollision, isOutage });
  } catch (error) {
    if (isTooLarge(error)) throw new RangeError('A record would become larger than an item may be.', { cause: error });
    if (error instanceof DynamoDbError && !isCollision(error) && error.reasons.some(isConditionFailed))
      return error.reasons;
    throw error;
  }
  return undefined;
};
