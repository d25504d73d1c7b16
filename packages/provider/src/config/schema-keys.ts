import { z } from 'zod';
import { configSchema } from './schema.ts';

/** The members of an object schema, below its defaults; undefined for every other schema. */
const membersOf = (schema: z.core.$ZodType | undefined): z.core.$ZodShape | undefined => {
  let inner = schema;
  while (inner instanceof z.ZodPrefault || inner instanceof z.ZodDefault || inner instanceof z.ZodOptional) {
    inner = inner.unwrap();
  }
  return inner instanceof z.ZodObject ? inner.shape : undefined;
};

/** The names of the keys below a path of the configuration. */
export const keysAt = (path: readonly PropertyKey[]): string[] => {
  let schema: z.core.$ZodType | undefined = configSchema;
  for (const name of path) schema = membersOf(schema)?.[String(name)];
  return Object.keys(membersOf(schema) ?? {});
};

const leaves = (schema: z.core.$ZodType, key: string): string[] => {
  const members = membersOf(schema);
  if (members === undefined) return [key];
  return Object.entries(members).flatMap(([name, member]) => leaves(member, key === '' ? name : `${key}.${name}`));
};

/** Every key that holds a value, in dots: `ttl.accessToken`. */
export const allKeys = (): readonly string[] => leaves(configSchema, '');
