import { durationSchema, section } from '@carnet/adapter-contract/settings';
import { z } from 'zod';

const day = 86_400;
const retriesMessage = 'must be a list of durations of at most seven days together';

/** How clients hear of a logout. */
export const logoutSchema = section({
  frontchannelSeconds: durationSchema(1, 60)
    .default(7)
    .describe('The time that a logout page waits for the front-channel logout pages of clients before it continues.'),
  backchannelRetries: z
    .array(durationSchema(1, day), { error: retriesMessage })
    .max(30, retriesMessage)
    .refine((delays) => delays.reduce((sum, delay) => sum + delay, 0) <= 7 * day, retriesMessage)
    .default([1, 5, 30, 120, 600, 3_600, 10_800, 21_600, 43_200])
    .describe(
      'The delay before each further attempt to deliver a back-channel logout. After the last attempt Carnet gives up.',
    ),
  backchannelPollSeconds: durationSchema(1, 3_600)
    .default(30)
    .describe(
      'The interval at which each process takes over logout notifications that another process left undelivered.',
    ),
});
