import type { Deadline } from '@carnet/adapter-contract/kit';
import type { Connection } from './connection.ts';
import type { EntityKey, EntityResult, Query, ReadOptions } from './wire.ts';

interface QueryOptions {
  readonly connection: Connection;
  readonly partitionId: EntityKey['partitionId'];
  readonly deadline: Deadline;
  readonly readOptions?: ReadOptions;
}

/** All results of a query, whose limit is kept. The service may return them in several batches. */
export const runQuery = async (query: Query, options: QueryOptions) => {
  const { connection, partitionId, deadline } = options;
  const results: EntityResult[] = [];
  let { readOptions } = options;
  let transaction: Uint8Array = new Uint8Array();
  let startCursor: Uint8Array | undefined;
  for (;;) {
    const limit = query.limit && { value: query.limit.value - results.length };
    const request = { partitionId, query: { ...query, limit, startCursor }, readOptions };
    const response = await connection.call('runQuery', request, deadline);
    if (readOptions !== undefined && 'newTransaction' in readOptions) {
      transaction = response.transaction;
      readOptions = { transaction };
    }
    results.push(...response.batch.entityResults);
    const isFull = query.limit !== undefined && results.length >= query.limit.value;
    if (response.batch.moreResults !== 'NOT_FINISHED' || isFull) return { results, transaction };
    startCursor = response.batch.endCursor;
  }
};
