import { isObject } from '../schema/normalise.ts';

/** No attribute is deeper in a body. Deeper values stay as they are, so that a body can't fill the stack. */
const mostDepth = 8;

const inText = /^bulkId:(.+)$/;
const inFilter = /(?<=")bulkId:([^"]+)(?=")/g;
const inUrl = /(?<=^\/(?:Users|Groups)\/)bulkId:(.+)$/;

/** The attributes whose values are resources, as a name or as the path of a PATCH. */
const ofResources = /^(?:urn:[^[\]]*:)?(?:members|manager)(?:$|[.[])/i;
const inResource = /^(?:value|\$ref)$/i;

type IdOf = (bulkId: string) => string;

const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * The value of an attribute of a resource, or of others.
 *
 * Safe against a text of a user that looks like a reference, such as a nickname, because references are read only where a value is a
 * resource. Otherwise it would make the request fail that disables the user.
 */
const inValue = (value: unknown, idOf: IdOf, isResource = false, depth = 0): unknown => {
  if (isText(value)) return isResource ? value.replace(inText, (_text, bulkId: string) => idOf(bulkId)) : value;
  if (depth === mostDepth) return value;
  if (Array.isArray(value)) return value.map((each) => inValue(each, idOf, isResource, depth + 1));
  if (!isObject(value)) return value;
  const path = Object.entries(value).find(([key]) => key.toLowerCase() === 'path')?.[1];
  const isAtResource = isText(path) && ofResources.test(path);
  const replaced = Object.entries(value).map(([key, member]) => {
    if (isAtResource && key.toLowerCase() === 'path')
      return [key, path.replace(inFilter, (_text, bulkId: string) => idOf(bulkId))];
    const isValue = inResource.test(key);
    const refers = isResource ? isValue : ofResources.test(key) || (isAtResource && isValue);
    return [key, inValue(member, idOf, refers, depth + 1)];
  });
  return Object.fromEntries(replaced);
};

/** The path of an operation of a bulk request, and its body. */
export interface Target {
  readonly path: string;
  readonly data: unknown;
}

/** Replaces the names of other operations of the bulk request by the ids of what they have created (RFC 7644, section 3.7.2). */
export const withReferences = ({ path, data }: Target, idOf: IdOf): Target => ({
  path: path.replace(inUrl, (_text, bulkId: string) => encodeURIComponent(idOf(bulkId))),
  data: inValue(data, idOf),
});

/** The names of the operations to which an operation refers. */
export const referencesIn = (target: Target): ReadonlySet<string> => {
  const names = new Set<string>();
  withReferences(target, (bulkId) => {
    names.add(bulkId);
    return '';
  });
  return names;
};
