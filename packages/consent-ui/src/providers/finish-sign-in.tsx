import { respondSignIn } from '../factors/respond-sign-in.tsx';
import { contextOf } from '../factors/sign-in-step.ts';
import type { Open } from '../page/flow.ts';
import type { Answer } from './answer.ts';
import { respondLink } from './link.tsx';
import { respondNewAccount } from './new-account.tsx';
import { shownProviderOf } from './offered.ts';
import { callbackOf } from './redirect-to-provider.ts';
import { respondNotSignedIn } from './respond-not-signed-in.tsx';

/** Verifies the answer of a provider, and continues the sign-in. `cookie` is that of the browser that began it. */
export const finishSignIn = async (
  open: Open<'login'>,
  { provider, text, remember }: Answer,
  cookie: string,
): Promise<Response> => {
  const { services, view } = open;
  const callback = callbackOf(services, provider);
  const finished = {
    ...contextOf(open),
    provider,
    callback,
    answer: text,
    cookie,
    language: view.language,
    mustConfirm: services.ui.mustAcceptTerms,
  };
  const signIn = await services.accounts.providers.finish(finished);
  switch (signIn.state) {
    case 'denied':
    case 'provider_failed':
    case 'unknown_user':
      return respondNotSignedIn(open, await shownProviderOf(open, provider), signIn.state);
    case 'sign_up':
      return respondNewAccount(open, await shownProviderOf(open, provider), { ...signIn, remember });
    case 'link':
      return respondLink(open, signIn.provider, { login: signIn.login, link: signIn.link, remember, provider });
    default:
      return respondSignIn(open, signIn, { remember, provider });
  }
};
