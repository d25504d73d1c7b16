import { z } from 'zod';
import type { SealedCookie } from '../cookies/sealed-cookie.ts';
import type { Services } from '../services.ts';

const session = z.object({ subject: z.string(), provider: z.string(), loginHint: z.string() });

/** Where the user of this browser has signed in. */
export type ProviderSession = z.infer<typeof session>;

/**
 * The provider of the remembered login of this browser, for the sign-out. It is kept in a sealed cookie, which ends with the login: no
 * store has it, and it contains no token of the provider.
 */
export const providerSession = ({
  cookies,
  settings,
}: Pick<Services, 'cookies' | 'settings'>): SealedCookie<ProviderSession> =>
  cookies.create({ name: 'carnet_signed_in_at', schema: session, maxAgeSeconds: settings.rememberForSeconds });
