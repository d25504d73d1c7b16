import { z } from 'zod';
import { configSchema } from './schema.ts';

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** The JSON Schema (2020-12) of a configuration file: for editors, and for checking one before it is deployed. */
export const configJsonSchema = (): object => ({
  title: 'Configuration of Carnet',
  ...z.toJSONSchema(configSchema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // `secret` is for `config print`. JSON Schema calls a value that is set and not shown `writeOnly`.
      if (jsonSchema.secret !== undefined) jsonSchema.writeOnly = true;
      delete jsonSchema.secret;
    },
  }),
});

/** The values of all keys that are not set. */
export const configDefaults = (): object => configSchema.parse({ accounts: {} });

let known: JsonSchema | undefined;

/** Whether there is such a key, in dots: `ttl.accessToken`. */
export const hasConfigKey = (key: string): boolean => {
  known ??= configJsonSchema();
  let at: JsonSchema | undefined = known;
  for (const name of key.split('.')) {
    const members: JsonSchema['properties'] = at?.properties;
    at = members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
  }
  return at !== undefined;
};
