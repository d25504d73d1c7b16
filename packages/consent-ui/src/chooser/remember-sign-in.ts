import type { SignedIn } from '@carnet/accounts';
import type { LoginRequest } from '../api/wire.ts';
import type { KeptInSignIn } from '../factors/sign-in-step.ts';
import { providerSession } from '../providers/provider-session.ts';
import type { Services } from '../services.ts';
import { createRememberedAccounts } from './remembered-accounts.ts';

interface Visit {
  readonly services: Pick<Services, 'cookies' | 'settings'>;
  readonly request: Request;
  readonly asked: Pick<LoginRequest, 'session_id'>;
}

/**
 * The Set-Cookie values after a sign-in. If the user has signed in with a provider and wants to stay signed in, the browser offers the
 * account with this provider at the next sign-in, and a sign-out can continue there. After a password, the sign-in page itself
 * remembers the login name.
 */
export const rememberSignIn = (
  { services, request, asked }: Visit,
  { user: { name, detail }, subject, provider: began }: Pick<SignedIn, 'user' | 'subject' | 'provider'>,
  { remember, provider }: KeptInSignIn,
): readonly (string | undefined)[] => {
  const session = providerSession(services);
  // The login of this browser is another one from now on.
  if (!remember || provider === undefined) return [session.read(request) && session.clear()];
  const login = detail ?? name;
  const sid = asked.session_id;
  return [
    createRememberedAccounts(services.cookies).add(request, { login, name, provider }),
    // `provider` is from the form, `began` from the accounts API.
    session.set({ subject, provider, loginHint: login.slice(0, 320), ...(began === provider && sid && { sid }) }),
  ];
};
