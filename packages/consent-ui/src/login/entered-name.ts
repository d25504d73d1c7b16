import { z } from 'zod';
import type { SealedCookie } from '../cookies/sealed-cookie.ts';
import type { Services } from '../services.ts';

/** Long enough to continue to the sign-in page. */
const maxAgeSeconds = 600;

/** The address that the user has just confirmed: the sign-in form is filled with it. */
export const enteredName = ({ cookies }: Pick<Services, 'cookies'>): SealedCookie<string> =>
  cookies.create({ name: 'carnet_login_name', schema: z.string().max(320), maxAgeSeconds });
