import { type Filter, parse } from 'scim2-parse-filter';
import {
  type Attribute,
  type Attributes,
  attributeIn,
  type Located,
  locate,
  type ResourceType,
} from '../schema/attribute.ts';
import { isObject, isUnassigned } from '../schema/normalise.ts';
import { badRequest } from './scim-error.ts';

export type { Filter } from 'scim2-parse-filter';

const longestFilter = 1_000;
const mostParentheses = 20;

/** @throws ScimError `invalidFilter` */
export const parseFilter = (text: string): Filter => {
  // The parser calls itself for each parenthesis: the limit keeps it from filling the stack.
  if (text.length > longestFilter || text.split(/[([]/).length - 1 > mostParentheses)
    throw badRequest(
      'invalidFilter',
      `A filter has at most ${longestFilter} characters and ${mostParentheses} parentheses.`,
    );
  try {
    return parse(text);
  } catch {
    throw badRequest('invalidFilter', 'The filter is not of the form of RFC 7644, section 3.4.2.2.');
  }
};

/** The attribute of a path in a filter. */
export type Resolve = (path: string) => Located | undefined;

export const resolveIn =
  (resourceType: ResourceType): Resolve =>
  (path) =>
    locate(path, resourceType);

/** The attribute of a path in the filter of a value, such as `type` in `emails[type eq "work"]`. */
export const resolveBelow =
  (list: Attribute): Resolve =>
  (path) => {
    const attribute = attributeIn(list.subAttributes ?? [], path);
    return attribute && { names: [attribute.name], attribute, list: undefined };
  };

/** @throws ScimError `invalidFilter` for an attribute that no schema has */
export const resolved = (path: string, resolve: Resolve): Located => {
  const located = resolve(path);
  if (located === undefined || located.attribute.isSecret)
    throw badRequest('invalidFilter', 'The filter names an attribute that no schema has.');
  const value = attributeIn(located.attribute.subAttributes ?? [], 'value');
  // `emails eq "x"` compares the values of the addresses.
  return value === undefined ? located : { ...located, names: [...located.names, value.name], attribute: value };
};

const valuesAt = (value: unknown, [name, ...names]: readonly string[]): readonly unknown[] => {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, name === undefined ? [] : [name, ...names]));
  if (name === undefined) return isUnassigned(value) ? [] : [value];
  return isObject(value) ? valuesAt(value[name], names) : [];
};

type Comparison = Exclude<Filter, { readonly op: 'and' | 'or' | 'not' | '[]' | 'pr' }>;

const comparisons: Readonly<Record<Comparison['op'], (value: string, given: string) => boolean>> = {
  eq: (value, given) => value === given,
  ne: (value, given) => value !== given,
  co: (value, given) => value.includes(given),
  sw: (value, given) => value.startsWith(given),
  ew: (value, given) => value.endsWith(given),
  gt: (value, given) => value > given,
  ge: (value, given) => value >= given,
  lt: (value, given) => value < given,
  le: (value, given) => value <= given,
};

const isMatch = ({ op, compValue }: Comparison, values: readonly unknown[], { type, caseExact }: Attribute) => {
  if (compValue === null) return (op === 'ne') === values.length > 0;
  if (op === 'ne' && values.length === 0) return true;
  const key = (value: unknown) =>
    type === 'boolean' || caseExact !== true ? String(value).toLowerCase() : String(value);
  return values.some((value) => comparisons[op](key(value), key(compValue)));
};

/** The attributes at the top of a resource that a filter names. */
export const topNames = (filter: Filter, resolve: Resolve): readonly (string | undefined)[] => {
  if ('filters' in filter) return filter.filters.flatMap((each) => topNames(each, resolve));
  if ('filter' in filter) return topNames(filter.filter, resolve);
  return [resolve(filter.attrPath)?.names[0]];
};

/** Whether a resource, or a value of a list, matches. @throws ScimError `invalidFilter` */
export const matches = (filter: Filter, value: Attributes, resolve: Resolve): boolean => {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((each) => matches(each, value, resolve));
    case 'or':
      return filter.filters.some((each) => matches(each, value, resolve));
    case 'not':
      return !matches(filter.filter, value, resolve);
    case '[]': {
      const list = resolve(filter.attrPath);
      if (list?.attribute.multiValued === undefined)
        throw badRequest('invalidFilter', 'A filter in brackets follows a multi-valued attribute.');
      const below = resolveBelow(list.attribute);
      return valuesAt(value, list.names).some((each) => isObject(each) && matches(filter.valFilter, each, below));
    }
    case 'pr': {
      const located = resolve(filter.attrPath);
      if (located === undefined) throw badRequest('invalidFilter', 'The filter names an attribute that no schema has.');
      return valuesAt(value, located.names).length > 0;
    }
    default: {
      const { names, attribute } = resolved(filter.attrPath, resolve);
      return isMatch(filter, valuesAt(value, names), attribute);
    }
  }
};
