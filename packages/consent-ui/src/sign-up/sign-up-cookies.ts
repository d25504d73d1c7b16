import { z } from 'zod';
import type { SealedCookie } from '../cookies/sealed-cookie.ts';
import type { Services } from '../services.ts';

/** The time for which the link of the email is valid. */
const proofSeconds = 24 * 3600;

const sent = z.object({
  /** The answer to `sign-up/request`: this browser sent the form. */
  proof: z.string().min(1).max(128),
  /** The sign-in that the user came from. */
  challenge: z.string().optional(),
});

/** Remembers in the browser that it sent a sign-up form, until the link of the email is opened. */
export const signUpProof = ({ cookies }: Pick<Services, 'cookies'>): SealedCookie<z.infer<typeof sent>> =>
  cookies.create({ name: 'carnet_sign_up', schema: sent, maxAgeSeconds: proofSeconds });

/** The longest challenge that fits into the cookie. Longer ones are left out: the user then signs in. */
export const maximumChallengeLength = 2048;

const pending = z.object({ email: z.string(), name: z.string(), password: z.string().optional() });

export type PendingSignUp = z.infer<typeof pending>;

/** The time in which "Resend" works without a second entry of the password. */
const pendingSeconds = 900;

/** Longer values would not fit into a cookie. */
const maximumBytes = 2048;

/**
 * The form that this browser sent, for "Resend" and "Wrong address?". It is encrypted, so that no page, script or file of the
 * browser shows the password, and it is removed when the address is confirmed.
 */
export const pendingSignUp = ({ cookies }: Pick<Services, 'cookies'>): SealedCookie<PendingSignUp> => {
  const options = { name: 'carnet_sign_up_form', schema: pending, maxAgeSeconds: pendingSeconds } as const;
  const cookie = cookies.create({ ...options, sameSite: 'Strict' });
  return {
    ...cookie,
    // A form that is too long is not kept: it must be filled again.
    set: (form) => (Buffer.byteLength(JSON.stringify(form)) <= maximumBytes ? cookie.set(form) : cookie.clear()),
  };
};
