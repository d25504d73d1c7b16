import { type Option, type Surface, text, UsageError, type Values } from '../command.ts';
import { type Loaded, type LoadOptions, loadConfig, loadParts } from './load-config.ts';
import type { CommandConfig } from './schema.ts';

/** The options of every command that reads the configuration. */
export const configOptions = {
  config: { type: 'string', value: 'file', summary: 'A YAML or JSON file. Environment variables override it.' },
  dev: {
    type: 'boolean',
    summary: 'Development mode: generate missing keys and secrets, and keep them in .carnet. Never in production.',
  },
} as const satisfies Record<string, Option>;

/** The same for commands that may be about another issuer than the first. */
export const issuerOptions = {
  ...configOptions,
  issuer: { type: 'string', value: 'name', summary: 'An issuer of the section `issuers`. Default: the first issuer.' },
} as const satisfies Record<string, Option>;

const parseWorkers = (value: string | undefined): number | undefined => {
  if (value === undefined) return undefined;
  if (!/^\d{1,3}$/.test(value)) throw new UsageError('--workers must be a number.');
  return Number(value);
};

/** The folder of dev mode's store and secrets, in the working directory. */
export const devFolder = '.carnet';

const optionsOf = (values: Values, { env }: Pick<Surface, 'env'>): LoadOptions => ({
  file: text(values, 'config'),
  env,
  devFolder,
  // Without the flag, the file decides, so `false` is never passed.
  ...(values.dev === true && { dev: true }),
  workers: parseWorkers(text(values, 'workers')),
  issuer: text(values, 'issuer'),
});

export const loadFromCommandLine = (values: Values, surface: Pick<Surface, 'env'>): Loaded =>
  loadConfig(optionsOf(values, surface));

/** Only the parts that a command needs: see `loadParts`. */
export const loadPartsFromCommandLine = <Part extends keyof CommandConfig>(
  values: Values,
  surface: Pick<Surface, 'env'>,
  parts: readonly Part[],
): Pick<CommandConfig, Part> => loadParts(optionsOf(values, surface), parts);
