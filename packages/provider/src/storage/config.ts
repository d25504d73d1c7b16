import { z } from 'zod';

/** The schemes of `storage.url`, each an adapter's. */
const storageSchemes = ['memory', 'sqlite', 'postgres', 'postgresql', 'redis', 'rediss', 'redis-cluster'] as const;

const message = `must be a URL that begins with ${storageSchemes.map((scheme) => `${scheme}:`).join(', ')}`;

export const storageSchema = z
  .strictObject({
    url: z
      .string({ error: message })
      .regex(new RegExp(`^(?:${storageSchemes.join('|')}):`), message)
      .optional()
      .describe('The store: `sqlite:carnet.db`, `postgres://user:password@host/database`, `redis://host`.'),
  })
  .prefault({});
