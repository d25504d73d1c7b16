import type { EffectiveConfiguration } from '@carnet/console';
import { getAt, redact, type Tree } from '@carnet/provider/config';
import { describedSettings } from '../config/described-settings.ts';
import { type CommandConfig, commandSchema } from '../config/schema.ts';
import { environment } from '../env.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The settings of a process, with their sources, for the console. Secrets are masked. */
export const configurationOf = (config: CommandConfig): EffectiveConfiguration => {
  const masked = redact(commandSchema, config) as Tree;
  const env = environment();
  const settings = describedSettings().flatMap(({ key, variables, default: byDefault, description }) => {
    const value = getAt(masked, key);
    if (value === undefined) return [];
    const variable = variables.find((name) => env[name] !== undefined);
    const source = variable ?? (textOf(value) === byDefault ? 'default' : 'file');
    return [{ key, value: JSON.stringify(value), source, description }];
  });
  return { settings, warnings: [] };
};
