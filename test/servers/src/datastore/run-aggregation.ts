import type { RunAggregationQueryRequest } from './protocol.ts';
import { openReading } from './read-options.ts';
import { refuse } from './refusal.ts';
import { openScan, type QueryParts, rememberScan, type Scan } from './run-query.ts';
import { toTimestamp, type Version } from './store.ts';

const maxAggregations = 5;

const count = (scan: Scan, offset: number, most: number, asOf: Version | undefined): number => {
  let matched = 0;
  if (most === 0) return 0;
  for (const _ of scan.entries(asOf)) {
    matched += 1;
    if (matched >= most + offset) break;
  }
  return Math.max(0, matched - offset);
};

/** An aggregation without an alias is `property_` and its number among those. */
const nameAll = (aliases: readonly string[]): readonly string[] =>
  aliases.map((alias, at) => alias || `property_${aliases.slice(0, at + 1).filter((other) => other === '').length}`);

/** Counts; sums and averages are not implemented. */
export const runAggregationQuery = (request: RunAggregationQueryRequest, parts: QueryParts) => {
  const { nestedQuery, aggregations } = request.aggregationQuery ?? refuse('UNIMPLEMENTED', 'This server has no GQL.');
  if (!nestedQuery || aggregations.length === 0 || aggregations.length > maxAggregations) {
    return refuse('INVALID_ARGUMENT', `An aggregation query has a query and 1 to ${maxAggregations} aggregations.`);
  }
  if (aggregations.some(({ operator }) => operator !== 'count')) {
    return refuse('UNIMPLEMENTED', 'This server has the aggregation count only.');
  }
  const scan = openScan(nestedQuery, request, parts);
  const { transaction, begun } = openReading(request.readOptions, parts.transactions);
  const asOf = transaction?.snapshot;
  const mosts = aggregations.map(({ count }) => Number(count?.upTo?.value ?? Infinity));
  const most = Math.min(nestedQuery.limit?.value ?? Infinity, Math.max(...mosts));
  const counted = count(scan, nestedQuery.offset, most, asOf);
  rememberScan(scan, Infinity, transaction, parts.store);
  const names = nameAll(aggregations.map(({ alias }) => alias));
  const counts = names.map((name, at) => [name, { integerValue: `${Math.min(counted, mosts[at] ?? Infinity)}` }]);
  return {
    batch: {
      aggregationResults: [{ aggregateProperties: Object.fromEntries(counts) }],
      moreResults: 'NO_MORE_RESULTS',
      readTime: toTimestamp(asOf ?? parts.store.nextVersion()),
    },
    ...(begun && { transaction: begun }),
  };
};
