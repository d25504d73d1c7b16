import type { Wants } from '../resources/resource.ts';
import { type Attributes, locate, type ResourceType } from '../schema/attribute.ts';
import { isObject, isUnassigned } from '../schema/normalise.ts';

/** The attributes that a response has: `attributes` and `excludedAttributes` of a query (RFC 7644, section 3.9). */
export interface Projection {
  /** Whether the query has one of the two. */
  readonly isGiven: boolean;
  readonly wants: Wants;
  apply(resource: Attributes): Attributes;
}

/** Every response has these. */
const always: ReadonlySet<string> = new Set(['schemas', 'id']);

type Path = readonly string[];

const pathsIn = (text: string | null, resourceType: ResourceType): readonly Path[] =>
  (text ?? '').split(',').flatMap((each) => {
    const located = locate(each.trim(), resourceType);
    return located === undefined ? [] : [located.names];
  });

const project = (value: unknown, paths: readonly Path[], keeps: boolean): unknown => {
  if (Array.isArray(value)) return value.map((each) => project(each, paths, keeps));
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const below = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
    const isNamed = below.some((rest) => rest.length === 0);
    if (isNamed) return keeps ? [[name, member]] : [];
    if (below.length === 0) return keeps ? [] : [[name, member]];
    const projected = project(member, below, keeps);
    return isUnassigned(projected) ? [] : [[name, projected]];
  });
  return Object.fromEntries(members);
};

export const createProjection = (query: URLSearchParams, resourceType: ResourceType): Projection => {
  const only = pathsIn(query.get('attributes'), resourceType);
  const without = pathsIn(query.get('excludedAttributes'), resourceType).filter(([name = '']) => !always.has(name));
  const isGiven = Boolean(query.get('attributes') || query.get('excludedAttributes'));
  if (query.get('attributes'))
    return {
      isGiven,
      wants: (attribute) => only.some(([name]) => name === attribute),
      apply: (resource) => project(resource, [...[...always].map((name) => [name]), ...only], true) as Attributes,
    };
  return {
    isGiven,
    wants: (attribute) => !without.some(([name, ...rest]) => name === attribute && rest.length === 0),
    apply: (resource) => (without.length === 0 ? resource : (project(resource, without, false) as Attributes)),
  };
};
