import type { ShownUser } from '@carnet/accounts';
import type { KeptInSignIn } from '../factors/sign-in-step.ts';
import type { Services } from '../services.ts';
import { createRememberedAccounts } from './remembered-accounts.ts';

interface Visit {
  readonly services: Pick<Services, 'cookies'>;
  readonly request: Request;
}

/**
 * The Set-Cookie value after a sign-in at a provider: the browser offers the account with this provider at the next sign-in.
 * Undefined if the user did not want to stay signed in. After a password, the sign-in page itself remembers the login name.
 */
export const rememberSignIn = (
  { services, request }: Visit,
  { user: { name, detail } }: { readonly user: Pick<ShownUser, 'name' | 'detail'> },
  { remember, provider }: KeptInSignIn,
): string | undefined =>
  remember && provider !== undefined
    ? createRememberedAccounts(services.cookies).add(request, { login: detail ?? name, name, provider })
    : undefined;
