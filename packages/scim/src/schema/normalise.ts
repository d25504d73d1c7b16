import { badRequest } from '../protocol/scim-error.ts';
import { type Attribute, type Attributes, attributeIn, type ResourceType, topAttributes } from './attribute.ts';

export const isObject = (value: unknown): value is Attributes =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const invalid = (name: string, type: string) => badRequest('invalidValue', `The attribute ${name} must be ${type}.`);

const longestText = 1024;

/** Postgres stores no NUL, and no half of a surrogate pair. */
const textOf = (name: string, value: unknown): string => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || value.length > longestText || value.includes('\0') || !value.isWellFormed())
    throw invalid(name, `text of at most ${longestText} characters`);
  return value;
};

/** Entra sends `"True"` and `"False"`. */
const booleanOf = (name: string, value: unknown): boolean => {
  if (typeof value === 'boolean') return value;
  if (/^true$/i.test(String(value))) return true;
  if (/^false$/i.test(String(value))) return false;
  throw invalid(name, 'a boolean');
};

/** A value that is no object is that of the sub-attribute `value`: Entra sends `manager` and members so. */
const complexOf = (attribute: Attribute, value: unknown): Attributes => {
  const { name, subAttributes = [] } = attribute;
  if (isObject(value)) return normaliseMembers(subAttributes, value);
  if (typeof value === 'string' && attributeIn(subAttributes, 'value') !== undefined)
    return { value: textOf(`${name}.value`, value) };
  throw invalid(name, 'an object');
};

const oneOf = (attribute: Attribute, value: unknown): unknown => {
  if (attribute.type === 'complex') return complexOf(attribute, value);
  return attribute.type === 'boolean' ? booleanOf(attribute.name, value) : textOf(attribute.name, value);
};

/** Whether a value is unassigned: null, an empty list or an empty object (RFC 7643, section 2.5). */
export const isUnassigned = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

/** The most members that a group may be given at once. */
const mostMembers = 10_000;
/** Each change compares the values of an attribute with one another. */
const mostValues = 100;

/** @throws ScimError `invalidValue` for a list that is too long */
export const assertFew = ({ name }: Attribute, values: readonly unknown[]): void => {
  const most = name === 'members' ? mostMembers : mostValues;
  if (values.length > most) throw invalid(name, `a list of at most ${most} values`);
};

/** A value in the form of its attribute: names of the schema, booleans and lists. Attributes that are unknown are left out. */
export const normaliseValue = (attribute: Attribute, value: unknown): unknown => {
  if (isUnassigned(value)) return undefined;
  if (attribute.multiValued === undefined) {
    const [single, ...more] = Array.isArray(value) ? value : [value];
    if (more.length > 0) throw invalid(attribute.name, 'a single value');
    const one = oneOf(attribute, single);
    return isUnassigned(one) ? undefined : one;
  }
  const values = Array.isArray(value) ? value : [value];
  assertFew(attribute, values);
  return values.map((each) => oneOf(attribute, each)).filter((each) => !isUnassigned(each));
};

/** The members of an object by the names of the schema, without those that only the server sets. */
const normaliseMembers = (attributes: readonly Attribute[], given: Attributes): Attributes => {
  const members = Object.entries(given).flatMap(([name, value]) => {
    const attribute = attributeIn(attributes, name);
    if (attribute === undefined || attribute.mutability === 'readOnly') return [];
    const normalised = normaliseValue(attribute, value);
    return isUnassigned(normalised) ? [] : [[attribute.name, normalised] as const];
  });
  return Object.fromEntries(members);
};

/** A resource as a client sends it, in the form of its schema. @throws ScimError `invalidValue`, `invalidSyntax` */
export const normaliseResource = (resourceType: ResourceType, body: unknown): Attributes => {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.');
  return normaliseMembers(topAttributes(resourceType), body);
};
