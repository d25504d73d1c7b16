import { AccountsError } from '@carnet/accounts/client';
import { requestParameter } from '../api/request-parameter.ts';
import type { LoginRequest } from '../api/wire.ts';
import { contextOf } from '../factors/sign-in-step.ts';
import { type Open, withOpenForm } from '../page/flow.ts';
import { Problem } from '../problem.ts';
import { hasFlowsLeft } from './flow-cookie.ts';
import { offeredProviders, shownProviderOf } from './offered.ts';
import { otherAccountPrompt, passedPrompt } from './prompts.ts';
import { isProviderName } from './provider-name.ts';
import { redirectToProvider } from './redirect-to-provider.ts';
import { respondContinue, respondNotSignedIn } from './respond-not-signed-in.tsx';

const maxAgeOf = (asked: LoginRequest): number | undefined => {
  const text = requestParameter(asked, 'max_age');
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
};

interface BeginOptions {
  readonly provider: string;
  readonly loginHint?: string | undefined;
  readonly remember?: boolean;
  /** Whether the user wants another account of the provider than the one in its session. */
  readonly isOther?: boolean;
}

/** Redirects the sign-in to a provider. If the provider does not answer, the user can sign in in another way. */
export const beginAtProvider = async (
  open: Open<'login'>,
  { provider, loginHint, remember = false, isOther = false }: BeginOptions,
): Promise<Response> => {
  const shown = await shownProviderOf(open, provider);
  try {
    return await redirectToProvider(open.services, open.request, {
      ...contextOf(open),
      provider,
      loginHint,
      remember,
      uiLocales: open.view.language,
      prompt: isOther ? otherAccountPrompt(shown) : passedPrompt(shown, requestParameter(open.asked, 'prompt')),
      maxAge: maxAgeOf(open.asked),
    });
  } catch (error) {
    if (!(error instanceof AccountsError) || error.code !== 'unavailable') throw error;
    return respondNotSignedIn(open, shown, 'provider_failed');
  }
};

/** The redirect to the only provider of a client or a login name; undefined if the user chooses. */
export const beginAtOnlyProvider = async (
  open: Open<'login'>,
  options: Pick<BeginOptions, 'loginHint' | 'isOther'> = {},
): Promise<Response | undefined> => {
  const { only } = await offeredProviders(open, options.loginHint);
  if (only === undefined) return undefined;
  const { request, challenge } = open;
  // Safe against another site that removes the flows of a user because the user must confirm it, by a form with a token.
  if (request.method === 'GET' && !hasFlowsLeft(request, { binding: challenge, provider: only }))
    return respondContinue(open, await shownProviderOf(open, only));
  return beginAtProvider(open, { ...options, provider: only });
};

/**
 * POST /login/provider: the user has chosen a provider. A POST with the token of the form, because by a GET another site
 * could begin sign-ins in the browser of a user.
 */
export const submitProvider = withOpenForm('login', (open, form) => {
  const provider = form.get('provider') ?? '';
  if (!isProviderName(provider)) throw new Problem('invalid_form');
  return beginAtProvider(open, {
    provider,
    remember: form.get('remember') === '1',
    isOther: form.get('account') === 'other',
  });
});
