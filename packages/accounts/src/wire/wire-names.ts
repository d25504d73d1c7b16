import { isObject } from '@carnet/adapter-contract/kit';
import { z } from 'zod';

/**
 * The names and forms of members over HTTP, by the schema of the members in process: `retryAfterSeconds` is
 * `retry_after_seconds`, and a `Date` is text (RFC 3339) or a number of milliseconds. The content of records, such as claims,
 * has names of its own, and is unchanged.
 */

const separated = (name: string, separator: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `${separator}${letter.toLowerCase()}`);

export const wireName = (member: string): string => separated(member, '_');

/** `signIn.passkeyOptions` -> `sign-in/passkey-options`. */
export const pathOf = (operation: string): string => separated(operation, '-').replace('.', '/');

/** The wire format of a `Date`, if it is not text. */
export const inMilliseconds = { wire: 'milliseconds' } as const;

const isInMilliseconds = (schema: z.ZodType): boolean => schema.meta()?.wire === inMilliseconds.wire;

const rebuilt = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodObject) {
    const members = Object.entries<z.ZodType>(schema.shape);
    return z.object(Object.fromEntries(members.map(([member, inner]) => [wireName(member), memberSchema(inner)])));
  }
  if (schema instanceof z.ZodOptional) return memberSchema(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodArray) {
    const element = memberSchema(schema.element as z.ZodType);
    // Limits of an array of objects would be lost: the inputs have none.
    return element === schema.element ? schema : z.array(element);
  }
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const options = schema.options.map((option) => memberSchema(option as z.ZodType) as z.ZodObject);
    return z.discriminatedUnion(schema.def.discriminator, options as [z.ZodObject, ...z.ZodObject[]]);
  }
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map((option) => memberSchema(option as z.ZodType)));
  if (schema instanceof z.ZodDate) return isInMilliseconds(schema) ? z.number() : z.iso.datetime();
  return schema;
};

/** A body is an object: a result that may be absent is its member `found`. */
const bodyOf = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional ? z.object({ found: schema }) : schema;

/** The schema of a body. */
export function wireSchema(schema: z.ZodObject): z.ZodObject;
export function wireSchema(schema: z.ZodType): z.ZodType;
export function wireSchema(schema: z.ZodType): z.ZodType {
  return memberSchema(bodyOf(schema));
}

const memberSchema = (schema: z.ZodType): z.ZodType => {
  const wire = rebuilt(schema);
  const description = schema.description;
  return wire === schema || description === undefined ? wire : wire.describe(description);
};

/** The members of an object, or of every object of a union: a member has one schema in all of them. */
const shapeOf = (schema: z.ZodType): Readonly<Record<string, z.ZodType>> => {
  if (schema instanceof z.ZodObject) return schema.shape;
  return schema instanceof z.ZodUnion
    ? Object.assign({}, ...schema.options.map((each) => shapeOf(each as z.ZodType)))
    : {};
};

type Direction = 'to wire' | 'from wire';

const dateOf = (schema: z.ZodType, value: unknown, direction: Direction): unknown => {
  if (direction === 'from wire') return new Date(value as string | number);
  return isInMilliseconds(schema) ? (value as Date).getTime() : (value as Date).toISOString();
};

const convert = (schema: z.ZodType, value: unknown, direction: Direction): unknown => {
  if (value === undefined) return undefined;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return convert(schema.unwrap() as z.ZodType, value, direction);
  if (schema instanceof z.ZodDate) return dateOf(schema, value, direction);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => convert(schema.element as z.ZodType, item, direction));
  const isOwn = schema instanceof z.ZodObject || schema instanceof z.ZodUnion;
  if (!isOwn || !isObject(value)) return value;
  const members = Object.entries(shapeOf(schema)).map(([member, inner]) => {
    const [from, to] = direction === 'to wire' ? [member, wireName(member)] : [wireName(member), member];
    return [to, convert(inner, value[from], direction)];
  });
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
};

/** A value of the schema as a body. Members that the schema does not have are left out: no internal value is answered by mistake. */
export const toWire = (schema: z.ZodType, value: unknown): unknown =>
  schema instanceof z.ZodOptional ? { found: convert(schema, value, 'to wire') } : convert(schema, value, 'to wire');

/** The value of a body that `wireSchema` has accepted. */
export const fromWire = (schema: z.ZodType, body: unknown): unknown => {
  const result = convert(bodyOf(schema), body, 'from wire');
  return schema instanceof z.ZodOptional && isObject(result) ? result.found : result;
};
