import { z } from 'zod';
import { allowedHostsSchema, hostSchema, portSchema } from '../http/config.ts';

export const adminSchema = z
  .strictObject({
    host: hostSchema
      .default('127.0.0.1')
      .describe('Where the admin listener is bound. Anything but loopback needs a token.'),
    port: portSchema.default(4445).describe('The port of the admin listener.'),
    token: z
      .string({ error: 'must be text' })
      .min(16, 'must have at least 16 characters: `openssl rand -hex 32` makes one')
      .optional()
      .describe('The bearer token that every admin request has to carry.'),
    allowedHosts: allowedHostsSchema.describe('Host headers that the admin listener answers besides loopback.'),
  })
  .prefault({});
