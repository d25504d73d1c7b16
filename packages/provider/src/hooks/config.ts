import {
  choiceSchema,
  httpUrlSchema,
  matchingSchema,
  section,
  wholeNumberSchema,
} from '@carnet/adapter-contract/settings';
import { z } from 'zod';

const auth = section({
  in: choiceSchema('header', 'cookie')
    .default('header')
    .describe('Whether the API key is sent in a header or in a cookie.'),
  name: matchingSchema(/^[\w!#$%&'*+.^`|~-]{1,128}$/, 'must be the name of a header or a cookie')
    .default('Authorization')
    .describe('The name of the header or cookie.'),
  value: z
    .string({ error: 'must be text' })
    .regex(/^[\x20-\x7e]{1,4096}$/, 'must be printable ASCII')
    .optional()
    .describe('The API key that Carnet sends to the hook. By default it sends none.')
    .meta({ secret: 'text' }),
});

const hook = (when: string) =>
  section({
    url: httpUrlSchema
      .optional()
      .describe(`The URL of the hook that Carnet calls ${when}. It receives the request and may change the claims.`)
      .meta({ secret: 'url' }),
    auth,
  });

export const hooksSchema = section({
  token: hook('before tokens are issued at the token endpoint, for every grant type'),
  refreshToken: hook('before tokens are refreshed'),
  timeoutMs: wholeNumberSchema(1, 60_000)
    .default(2_000)
    .describe('The maximum duration of a call to a hook, in milliseconds.'),
});

export type HooksConfig = z.output<typeof hooksSchema>;
