import { readKey } from './keys.ts';
import { encodeKey, encodeText, encodeValue } from './order.ts';
import type { DatabaseRequest, Filter, Partition, PropertyFilter, Query } from './protocol.ts';
import { refuse } from './refusal.ts';

const keyProperty = '__key__';

export interface Condition {
  readonly property: string;
  readonly op: string;
  /** As `encodeValue` does, a key as `encodeKey` does. */
  readonly encoded: string;
}

export interface Order {
  readonly property: string;
  readonly descending: boolean;
}

/** A query in parts. */
export interface Shape {
  readonly kind: string;
  /** The encoded namespace. */
  readonly namespace: string;
  readonly equals: readonly Condition[];
  /** Inequalities on the first order's property. */
  readonly bounds: readonly Condition[];
  readonly keyBounds: readonly Condition[];
  readonly ancestor: string | undefined;
  /** Without the properties of `equals`, which have one value, and without the key, by which all queries sort last. */
  readonly orders: readonly Order[];
  readonly keysDescending: boolean;
  readonly keysOnly: boolean;
}

const inequalities = new Set(['LESS_THAN', 'LESS_THAN_OR_EQUAL', 'GREATER_THAN', 'GREATER_THAN_OR_EQUAL']);
const known = new Set([...inequalities, 'EQUAL', 'HAS_ANCESTOR']);

const flatten = (filter: Filter | null | undefined): readonly PropertyFilter[] => {
  if (!filter) return [];
  if (filter.propertyFilter) return [filter.propertyFilter];
  const { op, filters = [] } = filter.compositeFilter ?? {};
  if (op !== 'AND') return refuse('UNIMPLEMENTED', 'This server combines filters by AND only.');
  if (filters.length === 0) refuse('INVALID_ARGUMENT', 'A composite filter has no filters.');
  return filters.flatMap(flatten);
};

const toCondition = ({ property, op, value }: PropertyFilter, request: DatabaseRequest): Condition => {
  const name = property?.name ?? '';
  if (!known.has(op)) refuse('UNIMPLEMENTED', `This server has no filter ${op}.`);
  if (name === '' || !value?.valueType) refuse('INVALID_ARGUMENT', 'A filter needs a property and a value.');
  const isKey = name === keyProperty;
  if (isKey !== (value?.valueType === 'keyValue') && (isKey || op === 'HAS_ANCESTOR')) {
    refuse('INVALID_ARGUMENT', '__key__ filter value must be a Key.');
  }
  if (op === 'HAS_ANCESTOR' && !isKey) refuse('INVALID_ARGUMENT', 'HAS_ANCESTOR is a filter of __key__.');
  const encoded = isKey ? encodeKey(readKey(value?.keyValue, request, 'complete')) : encodeValue(value ?? {});
  return { property: name, op, encoded };
};

const checkSupported = (query: Query): void => {
  if (query.kind.length !== 1) refuse('UNIMPLEMENTED', 'This server queries one kind at a time.');
  if (query.distinctOn.length > 0) refuse('UNIMPLEMENTED', 'This server has no distinct_on.');
  if (query.findNearest) refuse('UNIMPLEMENTED', 'This server has no find_nearest.');
  if (query.projection.some(({ property }) => property.name !== keyProperty)) {
    refuse('UNIMPLEMENTED', 'This server projects keys only.');
  }
  if (query.offset < 0 || (query.limit?.value ?? 0) < 0)
    refuse('INVALID_ARGUMENT', 'A limit or an offset is negative.');
};

/** A query that filters by inequality sorts by that property first, whether it says so or not. */
const withImplied = (orders: readonly Order[], unequal: readonly Condition[]): readonly Order[] => {
  const names = new Set(unequal.map(({ property }) => property));
  if (names.size > 1) refuse('UNIMPLEMENTED', 'This server has inequality filters on one property of a query only.');
  const [property] = names;
  if (property === undefined) return orders;
  if (orders.length === 0) return [{ property, descending: false }];
  if (orders[0]?.property !== property) {
    refuse(
      'INVALID_ARGUMENT',
      'The first sort property must be the same as the property to which the inequality filter is applied.',
    );
  }
  return orders;
};

/** @throws {Refusal} for a query that the API refuses, and for one that this server does not implement. */
export const readShape = (query: Query, partition: Partition | null, request: DatabaseRequest): Shape => {
  checkSupported(query);
  const conditions = flatten(query.filter).map((filter) => toCondition(filter, request));
  const onKey = conditions.filter(({ property }) => property === keyProperty);
  const onProperties = conditions.filter(({ property }) => property !== keyProperty);
  const equals = onProperties.filter(({ op }) => op === 'EQUAL');
  const bounds = onProperties.filter(({ op }) => inequalities.has(op));
  const asked = query.order.map(({ property, direction }) => ({
    property: property.name,
    descending: direction === 'DESCENDING',
  }));
  const isFixed = ({ property }: Order) => equals.some((condition) => condition.property === property);
  const ofKey = asked.findIndex(({ property }) => property === keyProperty);
  // Keys are unique: no order after the key's has an effect.
  const sorting = (ofKey === -1 ? asked : asked.slice(0, ofKey)).filter((order) => !isFixed(order));
  return {
    kind: query.kind[0]?.name ?? '',
    namespace: encodeText(partition?.namespaceId ?? ''),
    equals: equals.toSorted((one, other) => (one.property < other.property ? -1 : 1)),
    bounds,
    keyBounds: onKey.filter(({ op }) => op !== 'HAS_ANCESTOR'),
    ancestor: onKey.find(({ op }) => op === 'HAS_ANCESTOR')?.encoded,
    orders: withImplied(sorting, bounds),
    keysDescending: asked[ofKey]?.descending ?? false,
    keysOnly: query.projection.length > 0,
  };
};
