import type { CallContext } from './call-context.ts';
import { recordKind } from './keys.ts';
import type { EntityResult, PropertyFilter, Query, ReadOptions, Value } from './wire.ts';

export const filterOf = (name: string, op: PropertyFilter['op'], value: Value): PropertyFilter => ({
  property: { name },
  op,
  value,
});

/** The records for which all filters hold. */
export const recordsWhere = (...filters: readonly PropertyFilter[]): Query => ({
  kind: [{ name: recordKind }],
  filter: { compositeFilter: { op: 'AND', filters: filters.map((propertyFilter) => ({ propertyFilter })) } },
});

/** Has a query return the keys of its results only. */
export const keysOnly = { projection: [{ property: { name: '__key__' } }] } as const;

/** All results of a query, whose limit is kept. The service may return them in several batches. */
export const runQuery = async (
  query: Query,
  { connection, keys: { partitionId }, deadline }: Pick<CallContext, 'connection' | 'keys' | 'deadline'>,
  begin?: ReadOptions,
) => {
  let readOptions = begin;
  const results: EntityResult[] = [];
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
