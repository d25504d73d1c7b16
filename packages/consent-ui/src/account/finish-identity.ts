import type { ProviderSignIn } from '@carnet/accounts/client';
import { clientAddress } from '../http/client-address.ts';
import { respondNotice } from '../page/respond-notice.tsx';
import { viewOf } from '../page/view.ts';
import type { Answer } from '../providers/answer.ts';
import type { ProviderFlow } from '../providers/flow-cookie.ts';
import { callbackOf } from '../providers/redirect-to-provider.ts';
import type { Services } from '../services.ts';
import { accountClientId } from './account-client.ts';
import { accountContextOf } from './open-context.ts';
import { respondSaved } from './saved.ts';

const respondNotConnected = (
  services: Services,
  request: Request,
  state: ProviderSignIn['state'],
): Promise<Response> => {
  const view = viewOf(services, new Request(new URL('/account', request.url), { headers: request.headers }));
  const { account, providers } = view.text;
  const texts: Partial<Record<ProviderSignIn['state'], string>> = {
    denied: providers.notConnectedDenied,
    provider_failed: providers.notConnectedFailed,
  };
  const action = { id: 'back', label: account.back, href: '/account#providers' };
  const notice = { title: providers.notConnectedTitle, text: texts[state] ?? providers.notConnected, action };
  return respondNotice(view, notice, { status: 401 });
};

/**
 * Links the identity of a provider's answer to the user of the account page.
 *
 * Safe against an answer in the browser of another user because the session of this browser must still be that of the user who
 * began, and must not have ended meanwhile.
 */
export const finishIdentity = async (
  services: Services,
  request: Request,
  { provider, text, binding }: Answer,
  { cookie, subject }: ProviderFlow,
): Promise<Response> => {
  const context = await accountContextOf(services, request);
  if (context === undefined || context.login.subject !== subject)
    return respondNotConnected(services, request, 'expired');
  const finished = await services.accounts.providers.finish({
    binding,
    clientId: accountClientId,
    address: clientAddress(request, services.settings.trustedProxyHops),
    provider,
    callback: callbackOf(services, provider),
    answer: text,
    cookie,
    language: context.view.language,
  });
  // Each state of a sign-in of this user comes after the link: the account page needs no second factor for it.
  const isLinked = 'user' in finished && finished.state !== 'sign_up' && finished.user.subject === subject;
  return isLinked ? respondSaved('providers') : respondNotConnected(services, request, finished.state);
};
