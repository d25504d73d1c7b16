import { z } from 'zod';
import type { SealedCookie, SealedCookies } from '../cookies/sealed-cookie.ts';

const maxAgeSeconds = 180 * 86_400;

/**
 * The token of the users who have signed in with this browser. Their wrong passwords count apart, so that an
 * attacker does not lock them out. It exists after each sign-in, remembered or not. A logout keeps it: it signs no user in.
 */
export const deviceCookie = ({ cookies }: { readonly cookies: SealedCookies }): SealedCookie<string> =>
  cookies.create({ name: 'carnet_device', schema: z.string().max(2800), maxAgeSeconds });
