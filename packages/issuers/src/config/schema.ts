import { durationSchema, section, wholeNumberSchema } from '@carnet/adapter-contract/settings';
import { z } from 'zod';

/** The names of issuers: they are parts of URLs, of variables and of the keys of records. */
const namePattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export const isIssuerName = (name: string): boolean => namePattern.test(name);

/** The beginning of the environment variables of an issuer: `ISSUER_ACME_TTL_ID_TOKEN`. */
export const variablePrefixOf = (name: string): string => `ISSUER_${name.toUpperCase().replaceAll('-', '_')}_`;

/** The issuers besides the first one, whose settings are checked with those that they inherit. */
export const issuersSchema = z
  .record(
    z.string().regex(namePattern),
    z.looseObject({}, { error: 'must have the keys in which the issuer differs, such as "issuer: https://..."' }),
    {
      error: ({ code }) =>
        code === 'invalid_key'
          ? 'is no name of an issuer: use at most 63 of a-z, 0-9 and -, and no hyphen at either end'
          : 'must have an issuer under each name',
    },
  )
  .default({})
  .describe(
    'Further issuers in this installation, by name: `acme: { issuer: https://acme.example.com }`. Each has the keys of the configuration in which it differs from the top level, and inherits the others. Needs the package `@carnet/issuers`.',
  )
  .meta({ secret: 'text' });

export const limitsSchema = section({
  requestsPerSecond: wholeNumberSchema(1, 1_000_000)
    .optional()
    .describe(
      'The number of requests per second that a process answers for one issuer, at its endpoints and, counted separately, at the admin API. Further requests get 429. Default: no limit.',
    ),
  burst: wholeNumberSchema(1, 1_000_000)
    .optional()
    .describe('The number of requests that may arrive at once after a pause. Default: twice `requestsPerSecond`.'),
  clients: wholeNumberSchema(1, 100_000_000)
    .optional()
    .describe('The number of clients that may be registered at one issuer. Default: no limit.'),
  openIssuers: wholeNumberSchema(1, 100_000)
    .default(200)
    .describe(
      'The number of issuers besides the first that a process keeps open. If more are in use, it closes the one that was idle longest.',
    ),
  idle: durationSchema(10)
    .default(600)
    .describe('How long an issuer without requests stays open. It has no effect if `openIssuers` are enough for all.'),
});

export type Limits = z.output<typeof limitsSchema>;
export type LimitsInput = z.input<typeof limitsSchema>;
