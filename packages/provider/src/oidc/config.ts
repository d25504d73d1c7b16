import { z } from 'zod';
import { durationSchema } from '../flow/config.ts';
import { httpUrlSchema } from '../http/config.ts';

/** The issuer (OpenID Connect Discovery section 3). A trailing slash is dropped. */
export const issuerSchema = httpUrlSchema
  .refine((text) => !text.includes('?'), 'must not have a query (?)')
  .transform((text) => text.replace(/\/+$/, ''))
  .optional()
  .describe('The https URL under which browsers and clients reach the public listener.');

const strategies = ['opaque', 'jwt'] as const;

export const tokensSchema = z
  .strictObject({
    accessTokenStrategy: z
      .enum(strategies, { error: 'must be "opaque" or "jwt"' })
      .default('opaque')
      .describe('The form of access tokens, unless a client is registered for the other.'),
    refreshGraceSeconds: durationSchema(0)
      .refine((seconds) => seconds <= 300, 'must be at most 300 seconds')
      .default(10)
      .describe('How long a refresh token may be used a second time, giving the same successor. 0: never.'),
  })
  .prefault({});
