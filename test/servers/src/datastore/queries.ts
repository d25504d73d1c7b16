import { checkPartition, idOf, kindOf, namespaceOf } from './entities.ts';
import type { CountRequest, Filter, Query, RunQueryRequest } from './protocol.ts';
import { refuse } from './refusal.ts';
import type { Store, Stored } from './store.ts';
import type { Transactions } from './transactions.ts';

/** The most entities of one answer; further ones need another request. */
const mostInBatch = 300;
const keyName = '__key__';

interface Entry {
  /** Where the entity is in the results. */
  readonly place: string;
  readonly stored: Stored;
}

type Condition = (stored: Stored) => boolean;

const compare: Readonly<Record<string, (one: string, other: string) => boolean>> = {
  EQUAL: (one, other) => one === other,
  LESS_THAN: (one, other) => one < other,
  LESS_THAN_OR_EQUAL: (one, other) => one <= other,
  GREATER_THAN: (one, other) => one > other,
  GREATER_THAN_OR_EQUAL: (one, other) => one >= other,
  HAS_ANCESTOR: (one, other) => one.startsWith(other),
};

const flatten = (filter: Filter | null): NonNullable<Filter['propertyFilter']>[] => {
  if (filter === null) return [];
  if (filter.propertyFilter) return [filter.propertyFilter];
  if (filter.compositeFilter?.op !== 'AND') refuse('UNIMPLEMENTED', 'This server joins filters by AND.');
  return filter.compositeFilter?.filters.flatMap(flatten) ?? [];
};

/** The indexed text of a property: an entity without it is in no result that asks for the property. */
const textOf = ({ entity }: Stored, name: string): string | undefined => {
  const value = entity.properties[name];
  return value?.excludeFromIndexes ? undefined : value?.stringValue;
};

const conditionOf = ({ property, op, value }: NonNullable<Filter['propertyFilter']>): Condition => {
  const holds = compare[op] ?? refuse('UNIMPLEMENTED', `This server has no filter ${op}.`);
  const { name } = property;
  if (name === keyName) {
    const id = idOf(value.keyValue ?? refuse('INVALID_ARGUMENT', 'A filter of keys has no key.'));
    return (stored) => holds(stored.id, id);
  }
  const wanted = value.stringValue ?? refuse('UNIMPLEMENTED', 'This server compares keys and texts.');
  return (stored) => {
    const text = textOf(stored, name);
    return text !== undefined && holds(text, wanted);
  };
};

const checkSupported = ({ kind, projection, order, distinctOn, endCursor, offset }: Query): void => {
  const isKeysOnly = projection.every(({ property }) => property.name === keyName);
  const isPlain = distinctOn.length === 0 && endCursor.length === 0 && offset === 0;
  const isAscending = order.length < 2 && order.every(({ direction }) => direction !== 'DESCENDING');
  if (kind.length !== 1 || !isKeysOnly || !isPlain || !isAscending)
    refuse('UNIMPLEMENTED', 'This server has queries of one kind, ascending, with a limit and a cursor to start from.');
};

/** The property by which the results are sorted; undefined for the key. There are no composite indexes. */
const sortedBy = ({ order, filter }: Query): string | undefined => {
  const filters = flatten(filter);
  const isProperty = (name: string | undefined) => name !== undefined && name !== keyName;
  const bounded = filters.filter(({ op, property }) => op !== 'EQUAL' && isProperty(property.name));
  const names = new Set(bounded.map(({ property }) => property.name));
  const [ordered] = order.map(({ property }) => property.name);
  if (names.size > 1) refuse('UNIMPLEMENTED', 'This server has inequalities of one property.');
  const [sorted = ordered] = names;
  if (ordered !== undefined && ordered !== sorted)
    refuse('INVALID_ARGUMENT', 'The first sort property must be that of the inequality.');
  if (!isProperty(sorted)) return undefined;
  if (filters.length > bounded.length) refuse('FAILED_PRECONDITION', 'no matching index found.');
  return sorted;
};

/** The entities that a query finds, in their order. */
const find = (query: Query, { partitionId, ...request }: RunQueryRequest | CountRequest, store: Store): Entry[] => {
  checkPartition(partitionId, request);
  checkSupported(query);
  const [namespace, kind] = [namespaceOf(partitionId), query.kind[0]?.name];
  const conditions = flatten(query.filter).map(conditionOf);
  const sorted = sortedBy(query);
  const start = query.startCursor.toString();
  const entries: Entry[] = [];
  for (const stored of store.all()) {
    if (!stored.id.startsWith(namespace) || kindOf(stored.entity.key) !== kind) continue;
    if (!conditions.every((holds) => holds(stored))) continue;
    const text = sorted === undefined ? '' : textOf(stored, sorted);
    const place = `${text}\0${stored.id}`;
    if (text !== undefined && place > start) entries.push({ place, stored });
  }
  return entries.sort((one, other) => (one.place < other.place ? -1 : 1));
};

interface QueryParts {
  readonly store: Store;
  readonly transactions: Transactions;
}

const keyOnly = ({ entity: { key } }: Stored) => ({ key, properties: {} });

export const runQuery = (request: RunQueryRequest, { store, transactions }: QueryParts) => {
  const query = request.query ?? refuse('UNIMPLEMENTED', 'This server has no GQL.');
  const all = find(query, request, store);
  const limit = query.limit?.value ?? Number.POSITIVE_INFINITY;
  const batch = all.slice(0, Math.min(limit, mostInBatch));
  const isCut = batch.length < all.length;
  const { transaction, begun } = transactions.of(request);
  // A change of an entity that was found, and one that comes or goes, changes what the query answers.
  transaction?.checks.push(() => {
    const now = find(query, request, store).slice(0, isCut ? batch.length : undefined);
    return now.length === batch.length && now.every(({ stored }, index) => stored === batch[index]?.stored);
  });
  const isLimited = batch.length >= limit;
  return {
    batch: {
      entityResultType: query.projection.length > 0 ? 'KEY_ONLY' : 'FULL',
      entityResults: batch.map(({ stored }) => ({
        entity: query.projection.length > 0 ? keyOnly(stored) : stored.entity,
      })),
      endCursor: Buffer.from(batch.at(-1)?.place ?? ''),
      moreResults: isLimited ? 'MORE_RESULTS_AFTER_LIMIT' : isCut ? 'NOT_FINISHED' : 'NO_MORE_RESULTS',
    },
    ...(begun && { transaction: begun }),
  };
};

/** One count, outside of transactions. */
export const runCount = (request: CountRequest, { store }: QueryParts) => {
  const { nestedQuery, aggregations = [] } = request.aggregationQuery ?? {};
  const [{ count, alias } = { alias: '' }] = aggregations;
  if (!nestedQuery || !count || aggregations.length > 1 || request.readOptions?.consistencyType === 'transaction')
    return refuse('UNIMPLEMENTED', 'This server has one count of a query, outside of transactions.');
  const most = Number(count.upTo?.value ?? Number.POSITIVE_INFINITY);
  const counted = Math.min(find(nestedQuery, request, store).length, most);
  const aggregateProperties = { [alias]: { integerValue: `${counted}` } };
  return { batch: { aggregationResults: [{ aggregateProperties }], moreResults: 'NO_MORE_RESULTS' } };
};
