import { z } from 'zod';
import { httpUrlSchema } from '../http/config.ts';

const auth = z
  .strictObject({
    in: z
      .enum(['header', 'cookie'], { error: 'must be "header" or "cookie"' })
      .default('header')
      .describe('Whether the API key is sent in a header or in a cookie.'),
    name: z
      .string({ error: 'must be the name of a header or a cookie' })
      .regex(/^[\w!#$%&'*+.^`|~-]{1,128}$/, 'must be the name of a header or a cookie')
      .default('Authorization')
      .describe('The name of the header or cookie.'),
    value: z
      .string({ error: 'must be text' })
      .regex(/^[\x20-\x7e]{1,4096}$/, 'must be printable ASCII')
      .optional()
      .describe('The API key that Carnet sends to the hook. By default it sends none.')
      .meta({ secret: 'text' }),
  })
  .prefault({});

const hook = (when: string) =>
  z
    .strictObject({
      url: httpUrlSchema
        .optional()
        .describe(`The URL of the hook that Carnet calls ${when}. It receives the request and may change the claims.`)
        .meta({ secret: 'url' }),
      auth,
    })
    .prefault({});

export const hooksSchema = z
  .strictObject({
    token: hook('before tokens are issued at the token endpoint, for every grant type'),
    refreshToken: hook('before tokens are refreshed'),
    timeoutMs: z
      .int({ error: 'must be a whole number of milliseconds' })
      .min(1, 'must be at least 1')
      .max(60_000, 'must be at most 60000')
      .default(2_000)
      .describe('The maximum duration of a call to a hook, in milliseconds.'),
  })
  .prefault({});

export type HooksConfig = z.output<typeof hooksSchema>;
