import { z } from 'zod';
import { storageSchemes } from './open-storage.ts';

const message = `must be a URL that begins with ${storageSchemes.map((scheme) => `${scheme}:`).join(', ')}`;

export const storageSchema = z
  .strictObject({
    url: z
      .string({ error: message })
      .regex(new RegExp(`^(?:${storageSchemes.join('|')}|adapter):`), message)
      .optional()
      .describe('The store: `sqlite:carnet.db`, `postgres://user:password@host/database`, `redis://host`.'),
  })
  .prefault({});
