import { z } from 'zod';
import { keysAt } from './schema-keys.ts';

/** The JSON Schema (2020-12) of a configuration file: for editors, and for checking one before it is deployed. */
export const configJsonSchema = (config: z.ZodType): object => ({
  title: 'Configuration of Carnet',
  ...z.toJSONSchema(config, {
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
export const configDefaults = (config: z.ZodType<object>): object =>
  config.parse(keysAt(config, ['accounts']).length > 0 ? { accounts: {} } : {});
