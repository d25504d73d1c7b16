import { z } from 'zod';

/** A schema without its defaults. */
const withoutDefaults = (schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined => {
  let inner = schema;
  while (inner instanceof z.ZodPrefault || inner instanceof z.ZodDefault || inner instanceof z.ZodOptional) {
    inner = inner.unwrap();
  }
  return inner;
};

/** The schema of the items of a list; undefined for every other schema. */
export const itemsOf = (schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined => {
  const inner = withoutDefaults(schema);
  return inner instanceof z.ZodArray ? inner.unwrap() : undefined;
};

/** The members of an object schema, below its defaults, or of all alternatives; undefined for every other schema. */
export const membersOf = (schema: z.core.$ZodType | undefined): z.core.$ZodShape | undefined => {
  const inner = withoutDefaults(schema);
  if (inner instanceof z.ZodUnion) {
    const alternatives = inner.options.map((option) => membersOf(option)).filter((members) => members !== undefined);
    return alternatives.length === 0 ? undefined : Object.assign({}, ...alternatives);
  }
  return inner instanceof z.ZodObject ? inner.shape : undefined;
};

/** The schema of a key of the configuration. */
export const schemaAt = (config: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | undefined => {
  let schema: z.core.$ZodType | undefined = config;
  for (const name of path) schema = itemsOf(schema) ?? membersOf(schema)?.[String(name)];
  return schema;
};

/** Whether there is such a key, in dots: `ttl.accessToken`. */
export const hasConfigKey = (config: z.core.$ZodType, key: string): boolean =>
  schemaAt(config, key.split('.')) !== undefined;

/** The names of the keys below a path of the configuration. */
export const keysAt = (config: z.core.$ZodType, path: readonly PropertyKey[]): string[] =>
  Object.keys(membersOf(schemaAt(config, path)) ?? {});

const leaves = (schema: z.core.$ZodType, key: string): string[] => {
  const members = membersOf(schema);
  if (members === undefined) return [key];
  return Object.entries(members).flatMap(([name, member]) => leaves(member, key === '' ? name : `${key}.${name}`));
};

/** Every key that holds a value, in dots: `ttl.accessToken`. */
export const allKeys = (config: z.core.$ZodType): readonly string[] => leaves(config, '');

/** How the text of an environment variable for a key is read. A `list` has texts, `json` has objects. */
export const kindOfKey = (config: z.core.$ZodType, key: string): 'text' | 'integer' | 'boolean' | 'list' | 'json' => {
  const schema = withoutDefaults(schemaAt(config, key.split('.')));
  if (schema instanceof z.ZodArray) return membersOf(schema.unwrap()) === undefined ? 'list' : 'json';
  if (schema instanceof z.ZodRecord) return 'json';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  return schema instanceof z.ZodNumber ? 'integer' : 'text';
};
