import { z } from 'zod';
import type { SealedCookie } from '../cookies/sealed-cookie.ts';
import type { Services } from '../services.ts';

/** The time for which the link of the email is valid. */
const maxAgeSeconds = 24 * 3600;

const sent = z.object({
  /** The answer to `sign-up/request`: this browser sent the form. */
  proof: z.string().min(1).max(128),
  /** The sign-in that the user came from. */
  challenge: z.string().optional(),
});

type Sent = z.infer<typeof sent>;

/** Remembers in the browser that it sent a sign-up form, until the link of the email is opened. */
export const signUpProof = ({ cookies }: Pick<Services, 'cookies'>): SealedCookie<Sent> =>
  cookies.create({ name: 'carnet_sign_up', schema: sent, maxAgeSeconds });

/** The longest challenge that fits into the cookie. Longer ones are left out: the user then signs in. */
export const maximumChallengeLength = 2048;
