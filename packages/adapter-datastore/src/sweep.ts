import { mostLeftCounted, type Swept } from '@carnet/adapter-contract';
import type { CallContext } from './call-context.ts';
import { isLive, shardCount, sweepKey, toFound } from './entity.ts';
import { lookUp } from './lookup.ts';
import { repeat } from './repeat.ts';
import { filterOf, keysOnly, recordsWhere, runQuery } from './run-query.ts';
import { rollBack } from './transaction.ts';
import type { EntityKey, Mutation, PropertyFilter, Query } from './wire.ts';

const shards: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);

/** The expired records of a shard, the oldest first. */
const expiredIn = (shard: number, now: number): Query => {
  const bound = (op: PropertyFilter['op'], milliseconds: number) =>
    filterOf('sweep', op, { stringValue: sweepKey(shard, milliseconds) });
  return {
    ...recordsWhere(bound('GREATER_THAN_OR_EQUAL', 0), bound('LESS_THAN', now + 1)),
    order: [{ property: { name: 'sweep' }, direction: 'ASCENDING' }],
  };
};

/** The keys of the oldest expired records of a shard. */
const findExpired = async (shard: number, limit: number, context: CallContext) => {
  const query = { ...expiredIn(shard, context.now()), ...keysOnly, limit: { value: limit } };
  const { results } = await runQuery(query, context);
  return results.map(({ entity }) => entity.key);
};

/** Reads the records again and deletes them in one transaction: since the query, one may have been renewed or replaced. */
const remove = async (expired: readonly EntityKey[], context: CallContext): Promise<number> => {
  const { connection, deadline, now } = context;
  if (expired.length === 0) return 0;
  const readOptions = { newTransaction: { readWrite: {} } };
  const { entities, transaction } = await lookUp(expired, context, readOptions);
  const mutations: readonly Mutation[] = [...entities.values()]
    .filter((entity) => !isLive(toFound(entity), now()))
    .map(({ key }) => ({ delete: key }));
  try {
    await connection.call('commit', { mode: 'TRANSACTIONAL', transaction, mutations }, deadline);
    return mutations.length;
  } catch (error) {
    rollBack(context, transaction);
    throw error;
  }
};

const countExpired = async (shard: number, { connection, keys, deadline, now }: CallContext): Promise<number> => {
  const count = { alias: 'left', count: { upTo: { value: mostLeftCounted } } };
  const aggregationQuery = { nestedQuery: expiredIn(shard, now()), aggregations: [count] };
  const request = { partitionId: keys.partitionId, aggregationQuery };
  const { batch } = await connection.call('runAggregationQuery', request, deadline);
  return Number(batch.aggregationResults[0]?.aggregateProperties.left?.integerValue ?? 0);
};

/** Removes expired records: a query for each shard, and one transaction. Counts the rest only if there may be one. */
export const sweepExpired = async (limit: number, context: CallContext): Promise<Swept> => {
  const each = <T>(work: (shard: number) => Promise<T>): Promise<readonly T[]> =>
    Promise.all(shards.map((shard) => repeat(() => work(shard), context.deadline)));
  const ofShard = Math.ceil(limit / shardCount);
  const found = await each((shard) => findExpired(shard, ofShard, context));
  const expired = found.flat().slice(0, limit);
  const removed = await repeat(() => remove(expired, context), context.deadline);
  const isAll = expired.length === found.flat().length && found.every(({ length }) => length < ofShard);
  if (isAll) return { removed, left: 0 };
  const counts = await each((shard) => countExpired(shard, context));
  const left = counts.reduce((sum, count) => sum + count, 0);
  return { removed, left: Math.min(left, mostLeftCounted) };
};
