import { z } from 'zod';
import { configSchema } from './schema.ts';

/** The JSON Schema (2020-12) of a configuration file: for editors, and for checking one before it is deployed. */
export const configJsonSchema = (): object => ({
  title: 'Configuration of Carnet',
  ...z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }),
});
