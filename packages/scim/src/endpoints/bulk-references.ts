import { isObject } from '../schema/normalise.ts';

/** No attribute is deeper in a body. Deeper values stay as they are, so that a body can't fill the stack. */
const mostDepth = 8;

const inText = /^bulkId:(.+)$/;
const inFilter = /(?<=")bulkId:([^"]+)(?=")/g;
const inUrl = /(?<=^\/(?:Users|Groups)\/)bulkId:(.+)$/;

type IdOf = (bulkId: string) => string;

/** The data of an operation: a text `bulkId:qwerty`, and the path `members[value eq "bulkId:qwerty"]` of a PATCH. */
const inData = (value: unknown, idOf: IdOf, name = '', depth = 0): unknown => {
  if (typeof value === 'string')
    return value.replace(name === 'path' ? inFilter : inText, (_text, bulkId: string) => idOf(bulkId));
  if (depth === mostDepth) return value;
  if (Array.isArray(value)) return value.map((each) => inData(each, idOf, name, depth + 1));
  if (!isObject(value)) return value;
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([key, member]) => [key, inData(member, idOf, key.toLowerCase(), depth + 1)]));
};

/** The path of an operation of a bulk request, and its body. */
export interface Target {
  readonly path: string;
  readonly data: unknown;
}

/** Replaces the names of other operations of the bulk request by the ids of what they have created (RFC 7644, section 3.7.2). */
export const withReferences = ({ path, data }: Target, idOf: IdOf): Target => ({
  path: path.replace(inUrl, (_text, bulkId: string) => encodeURIComponent(idOf(bulkId))),
  data: inData(data, idOf),
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
