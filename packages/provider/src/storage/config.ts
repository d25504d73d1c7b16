import { durationSchema, flagSchema, matchingSchema, section } from '@carnet/adapter-contract/settings';
import type { z } from 'zod';
import { type Group, type GroupName, groupNames, groups } from './groups.ts';
import { adapterPackages } from './schemes.ts';

const storageSchemes = Object.keys(adapterPackages);
const message = `must be a URL that begins with ${storageSchemes.map((scheme) => `${scheme}:`).join(', ')}`;

const urlOf = (schemes: readonly string[]) =>
  matchingSchema(new RegExp(`^(?:${schemes.join('|')}):`), message)
    .optional()
    .meta({ secret: 'url' });

const promises: Record<Group['needs'], string> = {
  durable: 'The store must be durable.',
  neverRevives: 'The store may lose records, but must never restore a removed one.',
  nothing: 'The store may lose records.',
};

const storeOf = (name: GroupName) =>
  urlOf(storageSchemes).describe(
    `The store of ${groups[name].kinds.join(', ')} records. Default: \`storage.default\`. ${promises[groups[name].needs]}`,
  );

export const storageSchema = section({
  default: urlOf([...storageSchemes, 'adapter']).describe(
    'The URL of the store: `sqlite:carnet.db`, `postgres://user:password@host/database`, `redis://host`.',
  ),
  ...(Object.fromEntries(groupNames.map((name) => [name, storeOf(name)])) as Record<
    GroupName,
    ReturnType<typeof storeOf>
  >),
  migrate: flagSchema
    .optional()
    .describe(
      'Whether Carnet migrates the schema at startup. Default: true in dev mode. Otherwise run `carnet migrate up`; a durable Redis always needs that command.',
    ),
  sweepSeconds: durationSchema(0, 86_400)
    .default(60)
    .describe(
      'The interval at which each process removes expired records. With 0 no process does; run `carnet sweep`.',
    ),
});

/** The parsed configuration with a default store. */
export type StorageConfig = z.output<typeof storageSchema> & { readonly default: string };
