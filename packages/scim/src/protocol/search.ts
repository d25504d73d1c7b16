import type { Wants } from '../resources/resource.ts';
import type { Attributes, ResourceType } from '../schema/attribute.ts';
import { type Filter, matches, resolveBelow, resolved, resolveIn, topNames } from './filter.ts';
import { badRequest, type ScimError } from './scim-error.ts';

/** How many resources a filter may read. */
export const mostCandidates = 500;

/** Finds up to `limit` resources with an index, for a value of an attribute. */
export type FindByIndex<Found> = (value: string, limit: number) => Promise<readonly Found[]>;

/** The indexes of a kind of resource: by `eq` or `sw`, and the path of the attribute: `eq emails.value`. */
export type Indexes<Found> = Readonly<Record<string, FindByIndex<Found>>>;

export interface SearchOptions<Found> {
  readonly resourceType: ResourceType;
  readonly indexes: Indexes<Found>;
  readonly idOf: (found: Found) => string;
  /** Only the attributes that the filter names are wanted. */
  readonly render: (found: Found, wants: Wants) => Promise<Attributes>;
}

type Lookup<Found> = () => Promise<readonly Found[]>;

const tooMany = (): ScimError =>
  badRequest(
    'tooMany',
    `The filter matches, or must read, more than ${mostCandidates} resources. Use eq with an attribute that has an index.`,
  );

/**
 * Finds the resources of a filter. An index finds the candidates, and the whole filter decides about each of them. A filter
 * that no index serves is refused: it would read all resources.
 */
export const createSearch = <Found>({ resourceType, indexes, idOf, render }: SearchOptions<Found>) => {
  const resolve = resolveIn(resourceType);

  /** Undefined if no index serves the filter. `above`: the names of the list before the brackets. */
  const lookupOf = (filter: Filter, above: readonly string[] = [], from = resolve): Lookup<Found> | undefined => {
    switch (filter.op) {
      case 'and':
        return filter.filters.map((each) => lookupOf(each, above, from)).find((each) => each !== undefined);
      case 'or': {
        const lookups = filter.filters.map((each) => lookupOf(each, above, from));
        if (lookups.includes(undefined)) return undefined;
        return async () => (await Promise.all(lookups.map((lookup) => lookup?.() ?? []))).flat();
      }
      case '[]': {
        const list = resolve(filter.attrPath);
        return list && lookupOf(filter.valFilter, list.names, resolveBelow(list.attribute));
      }
      case 'eq':
      case 'sw': {
        const find = indexes[`${filter.op} ${[...above, ...resolved(filter.attrPath, from).names].join('.')}`];
        return find && (() => find(String(filter.compValue), mostCandidates + 1));
      }
      default:
        return undefined;
    }
  };

  return async (filter: Filter): Promise<readonly Found[]> => {
    const lookup = lookupOf(filter);
    if (lookup === undefined) {
      // A filter that is wrong is refused as such.
      matches(filter, {}, resolve);
      throw tooMany();
    }
    const candidates = new Map((await lookup()).map((found) => [idOf(found), found]));
    if (candidates.size > mostCandidates) throw tooMany();
    const names = new Set(topNames(filter, resolve));
    const matching: Found[] = [];
    for (const found of [...candidates.values()].toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1))) {
      const resource = await render(found, (attribute) => names.has(attribute));
      if (matches(filter, resource, resolve)) matching.push(found);
    }
    return matching;
  };
};
