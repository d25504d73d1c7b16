import { type Accounts, AccountsError } from '@carnet/accounts/client';
import { seeOther } from '../page/respond.ts';
import { Problem } from '../problem.ts';
import type { Services } from '../services.ts';
import { flowCookie, withoutOldFlows } from './flow-cookie.ts';

type BeginInput = Omit<Parameters<Accounts['providers']['begin']>[0], 'callback'>;

/** The page to which a provider sends the browser back. Each provider has one, so that no answer is taken for that of another. */
export const callbackOf = ({ settings }: Pick<Services, 'settings'>, provider: string): string =>
  new URL(`/login/provider/${encodeURIComponent(provider)}`, settings.uiUrl).href;

/**
 * Redirects to a provider.
 *
 * @param subject the user to whom the account page links the identity
 * @throws Problem `invalid_link` if there is no such provider
 */
export const redirectToProvider = async (
  services: Services,
  request: Request,
  input: BeginInput,
  subject?: string,
): Promise<Response> => {
  const { begin } = services.accounts.providers;
  try {
    const { url, cookie } = await begin({ ...input, callback: callbackOf(services, input.provider) });
    const kept = flowCookie(services, input).set({ cookie, subject });
    return seeOther(url, kept, ...withoutOldFlows(services, request, input));
  } catch (error) {
    const isUnknown = error instanceof AccountsError && error.code === 'not_supported';
    throw isUnknown ? new Problem('invalid_link', { cause: error }) : error;
  }
};
