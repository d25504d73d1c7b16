import { finishIdentity } from '../account/finish-identity.ts';
import { signInUrl } from '../factors/sign-in-step.ts';
import { formBody } from '../http/form-body.ts';
import { withOpen } from '../page/flow.ts';
import { homeLink } from '../page/home-page.ts';
import { respondNotice } from '../page/respond-notice.tsx';
import { viewOf } from '../page/view.ts';
import { Problem } from '../problem.ts';
import type { Operation, Services } from '../services.ts';
import { isAccountBinding } from './account-binding.ts';
import type { Answer } from './answer.ts';
import { finishSignIn } from './finish-sign-in.tsx';
import { flowCookie } from './flow-cookie.ts';
import { providerOfPath } from './provider-name.ts';
import { postedAgain, respondPostAgain } from './respond-post-again.tsx';

/** Longer ones are refused by the accounts API. */
const maximumAnswer = 65_536;
const maximumState = 16_384;
/** The parameters that may have the state: that of OAuth 2.0, and that of SAML. */
const stateParameters = ['state', 'RelayState'];

/** The answer in the query or the form. @throws Problem `invalid_link` if it is not one to a sign-in of this server */
const answerIn = async (services: Services, request: Request, text: string): Promise<Answer> => {
  const provider = providerOfPath(new URL(request.url).pathname);
  const parameters = new URLSearchParams(text);
  const [state, ...others] = stateParameters.flatMap((name) => parameters.getAll(name));
  const isFlawed = !state || others.length > 0 || state.length > maximumState || text.length > maximumAnswer;
  if (provider === undefined || isFlawed) throw new Problem('invalid_link');
  const found = await services.accounts.providers.read({ state });
  if (found === undefined) throw new Problem('invalid_link');
  return { provider, text, ...found };
};

/** The page for an answer in a browser that has not begun the sign-in, or that began it more than ten minutes ago. */
const respondOtherBrowser = (services: Services, request: Request, { binding }: Answer): Promise<Response> => {
  const view = viewOf(services, new Request(new URL('/', request.url), { headers: request.headers }));
  const { account, factors } = view.text;
  // Only in the browser of the login challenge: in another one, the provider would refuse the sign-in in the end.
  const isOwn = !isAccountBinding(binding) && services.formTokens.isKnown(request, binding);
  const action = isOwn ? { id: 'start-again', label: factors.startAgain, href: signInUrl(binding) } : homeLink(view);
  const notice = { title: account.signInFailedTitle, text: account.signInFailed, action };
  return respondNotice(view, notice, { status: 400 });
};

/** Continues the flow to which the answer belongs: a sign-in, or the account page. Undefined if this browser has none. */
const finish = async (services: Services, request: Request, answer: Answer): Promise<Response | undefined> => {
  const cookie = flowCookie(services, answer);
  const flow = cookie.read(request);
  if (flow === undefined) return undefined;
  // The pages that follow are those of the sign-in: a reload, or another language, begins it again with the same challenge.
  const continued = new Request(new URL(signInUrl(answer.binding), request.url), { headers: request.headers });
  const response = isAccountBinding(answer.binding)
    ? await finishIdentity(services, request, answer, flow)
    : await withOpen('login', (open) => finishSignIn(open, answer, flow.cookie))(services, continued);
  response.headers.append('set-cookie', cookie.clear());
  return response;
};

/** GET /login/provider/<name>: the answer of a provider in the query. */
export const showCallback: Operation = async (services, request) => {
  const answer = await answerIn(services, request, new URL(request.url).search.slice(1));
  return (await finish(services, request, answer)) ?? respondOtherBrowser(services, request, answer);
};

/**
 * POST /login/provider/<name>: the answer of a provider as a form (`response_mode=form_post`, or SAML). Browsers send no `SameSite=Lax`
 * cookie with the form of another site. The page is then a form that posts the same answer again, from this site.
 */
export const submitCallback: Operation = async (services, request) => {
  const form = await formBody(request);
  const isAgain = form.has(postedAgain);
  form.delete(postedAgain);
  const answer = await answerIn(services, request, form.toString());
  const response = await finish(services, request, answer);
  if (response !== undefined) return response;
  return isAgain ? respondOtherBrowser(services, request, answer) : respondPostAgain(services, request, form);
};
