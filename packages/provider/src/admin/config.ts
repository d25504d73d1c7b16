import { z } from 'zod';
import { allowedHostsSchema, hostSchema, portSchema } from '../http/config.ts';

export const adminSchema = z
  .strictObject({
    host: hostSchema
      .default('127.0.0.1')
      .describe('The address that the admin listener binds to. Any address but loopback requires `admin.token`.'),
    port: portSchema.default(4445).describe('The port of the admin listener.'),
    token: z
      .string({ error: 'must be text' })
      .min(16, 'must have at least 16 characters: `openssl rand -hex 32` makes one')
      .optional()
      .describe('The bearer token that every request to the admin API must carry.')
      .meta({ secret: 'text' }),
    allowedHosts: allowedHostsSchema.describe(
      'Values of the Host header that the admin listener accepts besides loopback.',
    ),
  })
  .prefault({});
