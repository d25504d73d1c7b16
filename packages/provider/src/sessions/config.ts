import { z } from 'zod';
import { durationSchema } from '../duration.ts';

const day = 86_400;
const retriesMessage = 'must be a list of durations of at most seven days together';

/** How clients hear of a logout. */
export const logoutSchema = z
  .strictObject({
    frontchannelSeconds: durationSchema(1, 60)
      .default(7)
      .describe('How long a logout page waits for the pages of clients (front-channel logout) before it goes on.'),
    backchannelRetries: z
      .array(durationSchema(1, day), { error: retriesMessage })
      .max(30, retriesMessage)
      .refine((delays) => delays.reduce((sum, delay) => sum + delay, 0) <= 7 * day, retriesMessage)
      .default([1, 5, 30, 120, 600, 3_600, 10_800, 21_600, 43_200])
      .describe(
        'How long to wait before each further attempt to tell a client of a logout (back-channel logout). After the last one it is given up.',
      ),
    backchannelPollSeconds: durationSchema(1, 3_600)
      .default(30)
      .describe('How often each process looks for logouts that another one has left undelivered.'),
  })
  .prefault({});
