import { indexedValues } from './entities.ts';
import { afterAll, encodeValue, invert } from './order.ts';
import type { Entity } from './protocol.ts';
import type { Shape } from './query-shape.ts';
import { createSortedList, type SortedEntry, type SortedList } from './sorted-list.ts';
import type { Store, Version } from './store.ts';

/** The properties of an index, in order. */
type IndexedProperties = readonly {
  readonly property: string;
  readonly descending: boolean;
  readonly sorts: boolean;
}[];

export interface Range {
  /** The first place that may be in it. */
  readonly from: string;
  /** The first place behind it. */
  readonly until: string;
}

const propertiesOf = ({ equals, orders }: Shape): IndexedProperties => [
  ...equals.map(({ property }) => ({ property, descending: false, sorts: false })),
  ...orders.map(({ property, descending }) => ({ property, descending, sorts: true })),
];

const nameOf = (shape: Shape): string => JSON.stringify([shape.kind, propertiesOf(shape), shape.keysDescending]);

/** A key ends itself here: otherwise its descendants, which begin with it, would come after it. */
const invertKey = (id: string): string => invert(`${id}\0`);

/** The entries of an entity: one for each combination of the values of its arrays; none if a property is missing. */
const entriesOf = (
  id: string,
  entity: Entity,
  properties: IndexedProperties,
  keysDescending: boolean,
): SortedEntry[] => {
  const namespace = id.slice(0, id.indexOf('\0\x01') + 2);
  let ofArray = false;
  const tuples = properties.reduce<string[]>(
    (prefixes, { property, descending, sorts }) => {
      const values = [...new Set(indexedValues(entity, property).map(encodeValue))];
      ofArray ||= sorts && values.length > 1;
      const encoded = descending ? values.map(invert) : values;
      return prefixes.flatMap((prefix) => encoded.map((value) => `${prefix}${value}`));
    },
    [namespace],
  );
  return tuples.map((tuple) => ({ sort: `${tuple}${keysDescending ? invertKey(id) : id}`, id, ofArray }));
};

/** The part of a range from `low`, up to `high`. */
export const narrow = ({ from, until }: Range, low: string | undefined, high: string | undefined): Range => ({
  from: low !== undefined && low > from ? low : from,
  until: high !== undefined && high < until ? high : until,
});

/** `value` is the first place of the compared value, and `behind` the first place after it. */
const narrowBy = (
  range: Range,
  op: string,
  { value, behind, inverted }: Record<'value' | 'behind', string> & { readonly inverted: boolean },
) => {
  if (op === 'EQUAL') return narrow(range, value, behind);
  const includes = op.endsWith('EQUAL');
  if (op.startsWith('GREATER') !== inverted) return narrow(range, includes ? value : behind, undefined);
  return narrow(range, undefined, includes ? behind : value);
};

/** The range of keys, where a query sorts by nothing else. */
const keyRangeOf = ({ ancestor = '', keyBounds, keysDescending }: Shape, prefix: string): Range => {
  // Descendants are together in the order of keys.
  const under = keysDescending ? prefix : `${prefix}${ancestor}`;
  return keyBounds.reduce<Range>(
    (range, { op, encoded }) => {
      const value = `${prefix}${keysDescending ? invertKey(encoded) : encoded}`;
      // A key is the beginning of its descendants: an entry that ends with it is that key itself.
      return narrowBy(range, op, { value, behind: `${value}\0`, inverted: keysDescending });
    },
    { from: under, until: `${under}${afterAll}` },
  );
};

/** The range of entries that satisfy the equalities and inequalities. */
export const rangeOf = (shape: Shape): Range => {
  const prefix = `${shape.namespace}${shape.equals.map(({ encoded }) => encoded).join('')}`;
  const [order] = shape.orders;
  if (order === undefined) return keyRangeOf(shape, prefix);
  return shape.bounds.reduce<Range>(
    (range, { op, encoded }) => {
      const value = `${prefix}${order.descending ? invert(encoded) : encoded}`;
      return narrowBy(range, op, { value, behind: `${value}${afterAll}`, inverted: order.descending });
    },
    { from: prefix, until: `${prefix}${afterAll}` },
  );
};

/**
 * Indexes of the newest state, each made by the first query that needs it. The real service has them before; what is
 * the same is which entities are in them.
 */
export const createShapeIndexes = (store: Store) => {
  const indexes = new Map<
    string,
    { readonly kind: string; readonly list: SortedList; entries(id: string, entity: Entity): SortedEntry[] }
  >();

  store.onChange((id, kind, before, after) => {
    for (const { kind: indexed, list, entries } of indexes.values()) {
      if (indexed !== kind) continue;
      if (before) for (const { sort } of entries(id, before)) list.remove(sort);
      if (after) for (const entry of entries(id, after)) list.add(entry);
    }
  });

  const build = (shape: Shape, asOf?: Version) => {
    const properties = propertiesOf(shape);
    const entries = (id: string, entity: Entity) => entriesOf(id, entity, properties, shape.keysDescending);
    const all = [...store.list(shape.kind, asOf)].flatMap(([id, { entity }]) => entries(id, entity));
    return { kind: shape.kind, list: createSortedList(all), entries };
  };

  return {
    /** The entries that a query passes through, in its order. */
    find(shape: Shape, asOf?: Version): SortedList {
      if (asOf !== undefined && store.changedAt(shape.kind) > asOf) return build(shape, asOf).list;
      const found = indexes.get(nameOf(shape)) ?? build(shape);
      indexes.set(nameOf(shape), found);
      return found.list;
    },
  };
};

export type ShapeIndexes = ReturnType<typeof createShapeIndexes>;
