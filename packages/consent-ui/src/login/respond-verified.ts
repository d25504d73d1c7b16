import type { SignIn } from '@carnet/accounts/client';
import { createRememberedAccounts } from '../chooser/remembered-accounts.ts';
import { respondSignIn } from '../factors/respond-sign-in.tsx';
import type { KeptInSignIn } from '../factors/sign-in-step.ts';
import type { Open } from '../page/flow.ts';

/** Continues the sign-in of a login name after its first factor. A browser that is to remember it offers it at the next sign-in. */
export const respondVerified = async (
  open: Open<'login'>,
  result: SignIn,
  { login, ...kept }: KeptInSignIn & { readonly login: string },
): Promise<Response> => {
  const response = await respondSignIn(open, result, kept);
  if (!kept.remember) return response;
  const name = 'user' in result ? result.user.name : login;
  const cookie = createRememberedAccounts(open.services.cookies).add(open.request, { login, name });
  if (cookie) response.headers.append('set-cookie', cookie);
  return response;
};
