import { z } from 'zod';
import { durationSchema } from '../duration.ts';
import { wholeNumberSchema } from '../whole-number.ts';

export const clientsSchema = z
  .strictObject({
    bcryptCost: wholeNumberSchema(4, 15)
      .default(10)
      .describe('The cost of hashing a client secret. One step up doubles it.'),
    cacheEntries: wholeNumberSchema(1, 10_000_000)
      .default(10_000)
      .describe('How many clients each process keeps in memory.'),
    cacheSeconds: durationSchema(0, 5)
      .default(5)
      .describe('How long a client changed elsewhere may be served as it was.'),
    maxPendingVerifications: wholeNumberSchema(1, 100_000)
      .default(64)
      .describe('How many secrets may wait to be verified before further ones are turned away with 503.'),
  })
  .prefault({});
