import { z } from 'zod';
import type { SealedCookie, SealedCookies } from '../cookies/sealed-cookie.ts';

const maxAgeSeconds = 180 * 86_400;

/**
 * The token of the users who have signed in with this browser. Their wrong passwords in it are counted separately, so that an
 * attacker elsewhere does not lock them out. Each sign-in sets the cookie, remembered or not. A logout keeps the cookie,
 * because it signs no user in.
 */
export const deviceCookie = ({ cookies }: { readonly cookies: SealedCookies }): SealedCookie<string> =>
  cookies.create({ name: 'carnet_device', schema: z.string().max(2800), maxAgeSeconds });
