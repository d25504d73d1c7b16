import { mostLeftCounted, type Swept } from '@carnet/adapter-contract';
import type { CallContext } from './call-context.ts';
import { shardCount, sweepKey } from './entity.ts';
import { isCollision, isOutage } from './faults.ts';
import { recordKind } from './keys.ts';
import { repeat } from './repeat.ts';
import { runQuery } from './run-query.ts';
import type { EntityResult, Mutation, PropertyFilter, Query } from './wire.ts';

const shards: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);

/** The expired records of a shard, the oldest first. */
const expiredIn = (shard: number, now: number): Query => {
  const bound = (op: PropertyFilter['op'], milliseconds: number) => ({
    propertyFilter: {
      property: { name: 'sweep' },
      op,
      value: { stringValue: sweepKey(shard, milliseconds) },
    },
  });
  return {
    kind: [{ name: recordKind }],
    filter: {
      compositeFilter: {
        op: 'AND',
        filters: [bound('GREATER_THAN_OR_EQUAL', 0), bound('LESS_THAN', now + 1)],
      },
    },
    order: [{ property: { name: 'sweep' }, direction: 'ASCENDING' }],
  };
};

const findExpired = async (shard: number, limit: number, { connection, keys, deadline, now }: CallContext) => {
  const query = { ...expiredIn(shard, now()), limit: { value: limit } };
  const { results } = await runQuery(query, { connection, partitionId: keys.partitionId, deadline });
  return results;
};

/** Only in the version that has expired: the record may have been given longer, or replaced, since the query. */
const toDeletion = ({ entity, version }: EntityResult): Mutation => ({ delete: entity.key, baseVersion: version });

const remove = async (expired: readonly EntityResult[], { connection, deadline }: CallContext): Promise<number> => {
  if (expired.length === 0) return 0;
  const request = { mode: 'NON_TRANSACTIONAL', mutations: expired.map(toDeletion) } as const;
  const { mutationResults } = await connection.call('commit', request, deadline);
  return mutationResults.filter(({ conflictDetected }) => !conflictDetected).length;
};

const countExpired = async (shard: number, { connection, keys, deadline, now }: CallContext): Promise<number> => {
  const count = { alias: 'left', count: { upTo: { value: mostLeftCounted } } };
  const aggregationQuery = { nestedQuery: expiredIn(shard, now()), aggregations: [count] };
  const request = { partitionId: keys.partitionId, aggregationQuery };
  const { batch } = await connection.call('runAggregationQuery', request, deadline);
  return Number(batch.aggregationResults[0]?.aggregateProperties.left?.integerValue ?? 0);
};

/** Removes expired records: a query for each shard, and one commit. Counts the rest only if there may be one. */
export const sweepExpired = async (limit: number, context: CallContext): Promise<Swept> => {
  const retries = { isCollision, isOutage };
  const each = <T>(work: (shard: number) => Promise<T>): Promise<readonly T[]> =>
    Promise.all(shards.map((shard) => repeat(() => work(shard), context.deadline, retries)));
  const ofShard = Math.ceil(limit / shardCount);
  const found = await each((shard) => findExpired(shard, ofShard, context));
  const expired = found.flat().slice(0, limit);
  const removed = await repeat(() => remove(expired, context), context.deadline, retries);
  const isAll = expired.length === found.flat().length && found.every(({ length }) => length < ofShard);
  if (isAll) return { removed, left: 0 };
  const counts = await each((shard) => countExpired(shard, context));
  const left = counts.reduce((sum, count) => sum + count, 0);
  return { removed, left: Math.min(left, mostLeftCounted) };
};
