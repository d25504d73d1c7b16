import { mostLeftCounted, type Swept } from '@carnet/adapter-contract';
import { batchesOf } from '@carnet/adapter-contract/kit';
import { conditionOf } from './action.ts';
import { type CallContext, repeatCall } from './call-context.ts';
import { isExpired } from './expression.ts';
import { isConditionalCheckFailure } from './faults.ts';
import { number, shardCount, shardName } from './item.ts';
import { itemKeyIn, keyAttributes } from './keys.ts';
import { query } from './pages.ts';
import type { Attributes } from './wire.ts';

const shards: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);

/** The items removed at once. */
const batchSize = 25;

/** The expired items of a shard, the oldest first. */
const expiredIn = (shard: number, now: number) => ({
  IndexName: 'sweep',
  KeyConditionExpression: '#sweep = :sweep AND #expires <= :now',
  ExpressionAttributeNames: { '#sweep': 'sweep', '#expires': 'expires' },
  ExpressionAttributeValues: { ':sweep': { S: shardName(shard) }, ':now': number(now) },
});

/** Removes an item. Since the query, it may have been renewed or replaced: then it stays. */
const remove = async (item: Attributes, context: CallContext): Promise<boolean> => {
  const { connection, table, deadline, now } = context;
  const { ReturnValuesOnConditionCheckFailure: _, ...condition } = conditionOf({
    table,
    condition: isExpired,
    values: { now: number(now()) },
  });
  const removal = { Key: keyAttributes(itemKeyIn(item)), ...condition };
  try {
    await repeatCall(() => connection.call('DeleteItem', removal, deadline), context);
    return true;
  } catch (error) {
    if (isConditionalCheckFailure(error)) return false;
    throw error;
  }
};

const removeEach = async (items: readonly Attributes[], context: CallContext): Promise<number> => {
  let removed = 0;
  for (const batch of batchesOf(items, batchSize)) {
    const outcomes = await Promise.all(batch.map((item) => remove(item, context)));
    removed += outcomes.filter(Boolean).length;
  }
  return removed;
};

const countExpired = async (shard: number, context: CallContext): Promise<number> => {
  const counted = { ...expiredIn(shard, context.now()), Select: 'COUNT' as const };
  let total = 0;
  for (let after: Attributes | undefined; ; ) {
    const { Count, LastEvaluatedKey } = await query(counted, context, after);
    total += Count;
    if (LastEvaluatedKey === undefined || total >= mostLeftCounted) return total;
    after = LastEvaluatedKey;
  }
};

/** Removes expired items: a query for each shard, and a conditional removal for each item. */
export const sweepExpired = async (limit: number, context: CallContext): Promise<Swept> => {
  const ofShard = Math.ceil(limit / shardCount);
  const found = await Promise.all(
    shards.map(
      async (shard) => (await query({ ...expiredIn(shard, context.now()), Limit: ofShard }, context)).Items ?? [],
    ),
  );
  const expired = found.flat().slice(0, limit);
  const removed = await removeEach(expired, context);
  const isAll = expired.length === found.flat().length && found.every(({ length }) => length < ofShard);
  if (isAll) return { removed, left: 0 };
  const counts = await Promise.all(shards.map((shard) => countExpired(shard, context)));
  return {
    removed,
    left: Math.min(
      mostLeftCounted,
      counts.reduce((sum, count) => sum + count, 0),
    ),
  };
};
