import { homeLink } from '../page/home-page.ts';
import { seeOther } from '../page/respond.ts';
import { respondNotice } from '../page/respond-notice.tsx';
import { viewOf } from '../page/view.ts';
import { Problem } from '../problem.ts';
import type { Operation, Services } from '../services.ts';
import type { BeginOptions } from './account-client.ts';
import { accountCookies, isRevoked } from './account-session.ts';

const redirectToProvider = async (
  services: Services,
  request: Request,
  options: Omit<BeginOptions, 'language'>,
): Promise<Response> => {
  const { language } = viewOf(services, request);
  const { url, checks } = await services.accountClient.begin({ ...options, language });
  return seeOther(url, accountCookies(services).signIn.set(checks));
};

/** Redirects to the provider. The user comes back to the requested page. */
export const beginSignIn = (
  services: Services,
  request: Request,
  options: Pick<BeginOptions, 'maxAgeSeconds' | 'loginHint'> = {},
): Promise<Response> => {
  const { pathname, search } = new URL(request.url);
  return redirectToProvider(services, request, { ...options, returnPath: pathname + search });
};

/** GET /account/callback: the authorization response. */
export const finishSignIn: Operation = async (services, request) => {
  const cookies = accountCookies(services);
  const checks = cookies.signIn.read(request);
  try {
    if (checks === undefined) throw new Error('the callback has no sign-in');
    const callback = new URL(`/account/callback${new URL(request.url).search}`, services.settings.uiUrl);
    // Safe because of `state`: the response belongs to a sign-in that began in this browser.
    const login = await services.accountClient.finish(callback, checks);
    const { subject } = login;
    const [sessions, profile] = await Promise.all([
      services.sessionsApi.sessions(subject),
      services.accounts.account.show({ subject }),
    ]);
    const passwordVersion = profile.passwordVersion;
    // The provider remembers a login from before the end of the sessions: without a new one, it would redirect here for ever.
    if (isRevoked({ ...login, passwordVersion }, profile)) {
      return await redirectToProvider(services, request, { returnPath: checks.returnPath, mustSignIn: true });
    }
    const isKept = sessions?.some(({ sid }) => sid === login.sid) ?? false;
    const session = cookies.session.set({ ...login, isKept, passwordVersion });
    return seeOther(checks.returnPath, session, cookies.signIn.clear());
  } catch (error) {
    if (error instanceof Problem) throw error;
    const view = viewOf(services, request);
    const { account } = view.text;
    const action = { id: 'try-again', label: account.tryAgain, href: checks?.returnPath ?? '/account' };
    const notice = { title: account.signInFailedTitle, text: account.signInFailed, action };
    return respondNotice(view, notice, { status: 400, cookie: cookies.signIn.clear() });
  }
};

/** POST /account/sign-out: ends the session here and at the provider. */
export const signOut: Operation = async (services, request) => {
  const { session } = accountCookies(services);
  const login = session.read(request);
  const url = login === undefined ? '/account/signed-out' : await services.accountClient.endSessionUrl(login.idToken);
  return seeOther(url, session.clear());
};

/** GET /account/signed-out. */
export const showSignedOut: Operation = (services, request) => {
  const view = viewOf(services, request);
  const { account } = view.text;
  const signIn = { id: 'sign-in', label: account.signIn, href: '/account' };
  const action = view.home === undefined ? signIn : homeLink(view);
  return respondNotice(view, { title: account.signedOutTitle, text: account.signedOut, action });
};
