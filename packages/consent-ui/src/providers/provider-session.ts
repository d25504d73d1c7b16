import { z } from 'zod';
import type { LoginRequest } from '../api/wire.ts';
import type { SealedCookie } from '../cookies/sealed-cookie.ts';
import type { Services } from '../services.ts';

const session = z.object({
  subject: z.string(),
  provider: z.string(),
  loginHint: z.string(),
  /** The session of this login, if the accounts API has stated that it began with the provider. */
  sid: z.string().optional(),
});

/** Where the user of this browser has signed in. */
export type ProviderSession = z.infer<typeof session>;

/**
 * The provider of the remembered login of this browser, for the sign-out and for memberships of organizations. It is kept in a sealed cookie, which ends with the login: no
 * store has it, and it contains no token of the provider.
 */
export const providerSession = ({
  cookies,
  settings,
}: Pick<Services, 'cookies' | 'settings'>): SealedCookie<ProviderSession> =>
  cookies.create({ name: 'carnet_signed_in_at', schema: session, maxAgeSeconds: settings.rememberForSeconds });

/**
 * The provider with which the remembered login of this request began; undefined if it is not known.
 *
 * Safe against the cookie of another login because it must have the id of this session, and against a form that names another provider
 * because the id is only in the cookie if the accounts API has stated the provider.
 */
export const providerOfSession = (
  services: Pick<Services, 'cookies' | 'settings'>,
  request: Request,
  { subject, session_id }: Pick<LoginRequest, 'subject' | 'session_id'>,
): string | undefined => {
  const found = providerSession(services).read(request);
  const isOfSession = found?.sid !== undefined && found.sid === session_id && found.subject === subject;
  return isOfSession ? found.provider : undefined;
};
