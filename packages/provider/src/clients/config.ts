import { durationSchema, section, wholeNumberSchema } from '@carnet/adapter-contract/settings';

export const clientSecretsSchema = section({
  bcryptCost: wholeNumberSchema(4, 15)
    .default(10)
    .describe('The bcrypt cost of client secrets. Each increment doubles the time of a comparison.'),
  maxPendingVerifications: wholeNumberSchema(1, 100_000)
    .default(64)
    .describe(
      'The maximum number of client secrets that wait for verification. Further requests are refused with 503.',
    ),
});

export const clientCacheSchema = section({
  entries: wholeNumberSchema(1, 10_000_000).default(10_000).describe('The number of clients that each process caches.'),
  seconds: durationSchema(0, 5)
    .default(5)
    .describe('How long a process may use a cached client after another process changed it.'),
});
