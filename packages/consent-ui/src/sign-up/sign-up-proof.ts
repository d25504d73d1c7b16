import { z } from 'zod';
import type { SealedCookie } from '../cookies/sealed-cookie.ts';
import type { Services } from '../services.ts';

/** The time for which the link of the email is valid. */
const maxAgeSeconds = 24 * 3600;

/** Keeps the proof that this browser sent the sign-up form (`sign-up/request`) until the link of the email is opened. */
export const signUpProof = ({ cookies }: Pick<Services, 'cookies'>): SealedCookie<string> =>
  cookies.create({ name: 'carnet_sign_up', schema: z.string().min(1).max(128), maxAgeSeconds });
