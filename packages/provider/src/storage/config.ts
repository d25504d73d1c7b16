import { z } from 'zod';
import { durationSchema } from '../duration.ts';
import { type Group, type GroupName, groupNames, groups } from './groups.ts';
import { storageSchemes } from './schemes.ts';

const message = `must be a URL that begins with ${storageSchemes.map((scheme) => `${scheme}:`).join(', ')}`;

const urlOf = (schemes: readonly string[]) =>
  z
    .string({ error: message })
    .regex(new RegExp(`^(?:${schemes.join('|')}):`), message)
    .optional();

const promises: Record<Group['needs'], string> = {
  durable: 'It has to be durable.',
  neverRevives: 'It may lose records, but never bring one back that was removed.',
  nothing: 'It may lose records.',
};

const storeOf = (name: GroupName) =>
  urlOf(storageSchemes).describe(
    `The store of ${groups[name].kinds.join(', ')} records, if not the default one. ${promises[groups[name].needs]}`,
  );

export const storageSchema = z
  .strictObject({
    default: urlOf([...storageSchemes, 'adapter']).describe(
      'The store: `sqlite:carnet.db`, `postgres://user:password@host/database`, `redis://host`.',
    ),
    ...(Object.fromEntries(groupNames.map((name) => [name, storeOf(name)])) as Record<
      GroupName,
      ReturnType<typeof storeOf>
    >),
    migrate: z
      .boolean({ error: 'must be true or false' })
      .optional()
      .describe(
        'Bring the schema up to date at start. The default in dev mode; else run `carnet migrate up`, which a durable Redis needs all the same.',
      ),
    sweepSeconds: durationSchema(0, 86_400)
      .default(60)
      .describe('How long between two removals of expired records, by each process; 0: never, `carnet sweep` does it.'),
  })
  .prefault({});

/** Parsed and found complete. */
export type StorageConfig = z.output<typeof storageSchema> & { readonly default: string };
