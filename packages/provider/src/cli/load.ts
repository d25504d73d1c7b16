import { type Loaded, loadConfig } from '../config/load-config.ts';
import { type Option, type Surface, text, UsageError, type Values } from './command.ts';

/** The options of every command that reads the configuration. */
export const configOptions = {
  config: { type: 'string', value: 'file', summary: 'A YAML or JSON file. The environment goes over it.' },
  dev: { type: 'boolean', summary: 'Make up what is missing, for this process only. Never in production.' },
} as const satisfies Record<string, Option>;

const parseWorkers = (value: string | undefined): number | undefined => {
  if (value === undefined) return undefined;
  if (!/^\d{1,3}$/.test(value)) throw new UsageError('--workers must be a number.');
  return Number(value);
};

export const loadFromCommandLine = (values: Values, { env }: Pick<Surface, 'env'>): Loaded =>
  loadConfig({
    file: text(values, 'config'),
    env,
    // `false` is never passed on: without the flag, the file decides.
    ...(values.dev === true && { dev: true }),
    workers: parseWorkers(text(values, 'workers')),
  });
