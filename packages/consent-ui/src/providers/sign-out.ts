import { AccountsError } from '@carnet/accounts/client';
import { z } from 'zod';
import type { SealedCookie } from '../cookies/sealed-cookie.ts';
import { type Open, respondDecided } from '../page/flow.ts';
import { seeOther } from '../page/respond.ts';
import { viewOf } from '../page/view.ts';
import { Problem } from '../problem.ts';
import type { Operation, Services } from '../services.ts';
import { providerOfPath } from './provider-name.ts';
import { providerSession } from './provider-session.ts';
import { callbackOf } from './redirect-to-provider.ts';

const pending = z.object({ challenge: z.string(), provider: z.string() });

/** The sign-out that continues at a provider. */
const pendingSignOut = ({ cookies }: Pick<Services, 'cookies'>): SealedCookie<z.infer<typeof pending>> =>
  cookies.create({ name: 'carnet_sign_out', schema: pending, maxAgeSeconds: 600 });

/** The URL of the sign-out at the provider of this login; undefined if there is none, or if the provider does not answer. */
const urlAtProvider = async ({ services, request, asked, view }: Open<'logout'>) => {
  const found = providerSession(services).read(request);
  if (found === undefined || found.subject !== asked.subject) return undefined;
  const { provider, loginHint } = found;
  const input = { provider, callback: callbackOf(services, provider), loginHint, uiLocales: view.language };
  try {
    const signOut = await services.accounts.providers.signOut(input);
    return signOut && { provider, url: signOut.url };
  } catch (error) {
    if (error instanceof AccountsError && error.code === 'unavailable') return undefined;
    throw error;
  }
};

/**
 * Continues a sign-out, which the user has confirmed, at the provider of the login. Undefined if there is no such provider.
 *
 * Safe against an error at the provider because the session of Carnet ends before the browser goes there.
 */
export const signOutAtProvider = async (open: Open<'logout'>): Promise<Response | undefined> => {
  const { services, challenge, asked } = open;
  const found = asked.sid ? await urlAtProvider(open) : undefined;
  if (!asked.sid || found === undefined) return undefined;
  await services.sessionsApi.endSession(asked.sid);
  const { provider, url } = found;
  return seeOther(url, pendingSignOut(services).set({ challenge, provider }), providerSession(services).clear());
};

/**
 * GET /login/provider/<name>/signed-out: the browser comes back from the provider, and continues to the client.
 *
 * Safe without `state` because the sealed cookie names the logout request that the user has confirmed. Its session has ended already.
 */
export const showSignedOut: Operation = async (services, request) => {
  const cookie = pendingSignOut(services);
  const found = cookie.read(request);
  const provider = providerOfPath(new URL(request.url).pathname, 'signedOut');
  if (found === undefined || found.provider !== provider) throw new Problem('invalid_link');
  const view = viewOf(services, request);
  const accepted = await services.api.logout.accept(found.challenge, {});
  return respondDecided(view, 'logout', accepted, services.formTokens.clear(found.challenge), cookie.clear());
};
