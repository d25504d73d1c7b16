import { z } from 'zod';
import type { Services } from '../services.ts';

const pending = z.object({ email: z.string(), name: z.string(), password: z.string() });

export type PendingSignUp = z.infer<typeof pending>;

/** The time in which "Resend" works without a second entry of the password. */
const maxAgeSeconds = 900;

/** Longer values would not fit into a cookie. */
const maximumBytes = 2048;

const cookieOf = ({ cookies }: Pick<Services, 'cookies'>) =>
  cookies.create({ name: 'carnet_sign_up_form', schema: pending, maxAgeSeconds, sameSite: 'Strict' });

/**
 * The form that this browser sent, for "Resend" and "Wrong address?". It is encrypted, so that no page, script or file of the
 * browser shows the password, and it is removed when the address is confirmed.
 */
export const pendingSignUp = (services: Pick<Services, 'cookies'>) => {
  const cookie = cookieOf(services);
  return {
    ...cookie,
    /** A Set-Cookie value. A form that is too long is not kept: it must be filled again. */
    set: (form: PendingSignUp): string =>
      Buffer.byteLength(JSON.stringify(form)) <= maximumBytes ? cookie.set(form) : cookie.clear(),
  };
};
