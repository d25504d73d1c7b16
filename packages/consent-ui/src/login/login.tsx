import type { SignIn } from '@carnet/accounts/client';
import { redirectTarget } from '../api/redirect-target.ts';
import { createRememberedAccounts } from '../chooser/remembered-accounts.ts';
import { respondSignIn } from '../factors/respond-sign-in.tsx';
import { contextOf } from '../factors/sign-in-step.ts';
import { type Open, respondDecided, withOpen, withOpenForm } from '../page/flow.ts';
import { seeOther } from '../page/respond.ts';
import type { View } from '../page/view.ts';
import type { Services } from '../services.ts';
import { credentialsOf, loginNameOf } from './credentials.ts';
import { type Refusal, respondChosen, respondForm, respondLogin } from './respond-login.tsx';

/**
 * Accepts a remembered login. The user may have been disabled, locked or deleted since: the remembered logins then end, and
 * the request begins again with the sign-in form.
 */
const acceptKnown = async (services: Services, { challenge, asked, view }: Open<'login'>): Promise<Response> => {
  const { api, accounts, sessionsApi, settings } = services;
  if ((await accounts.account.show({ subject: asked.subject })).user === undefined) {
    await sessionsApi.endSessions(asked.subject);
    return seeOther(redirectTarget(settings.issuer, asked.request_url ?? ''));
  }
  const acceptance = { subject: asked.subject, remember: true, remember_for: settings.rememberForSeconds };
  return respondDecided(view, 'login', await api.login.accept(challenge, acceptance));
};

/** The client asks for a sign-up (Initiating User Registration via OpenID Connect 1.0). */
const asksForSignUp = async ({ accounts }: Services, { asked, view }: Open<'login'>): Promise<boolean> => {
  const { request_url: url } = asked;
  const prompts = url && URL.canParse(url) ? (new URL(url).searchParams.get('prompt') ?? '').split(' ') : [];
  // The sign-up page leads users who have an account back to this page, for another account.
  if (!prompts.includes('create') || view.url.searchParams.has('account')) return false;
  return (await accounts.settings()).signUp;
};

/** GET /login: shows the form, or accepts at once if the browser has a remembered login. */
export const showLogin = (services: Services, request: Request): Promise<Response> =>
  withOpen('login', services, request, async (open) => {
    if (open.asked.skip) return acceptKnown(services, open);
    if (!(await asksForSignUp(services, open))) return respondLogin(services, request, open);
    return seeOther(`/sign-up?${new URLSearchParams({ login_challenge: open.challenge })}`);
  });

const tooMany = (view: View, retryAfterSeconds: number): Refusal => ({
  status: 429,
  retryAfterSeconds,
  message: view.text.login.tooMany(Math.ceil(retryAfterSeconds / 60)),
});

/** The message of a refused attempt; undefined if the password was right. */
const refusalOf = (view: View, result: SignIn): Refusal | undefined => {
  if (result.state === 'refused') return { status: 401, message: view.text.login.wrong };
  return result.state === 'limited' ? tooMany(view, result.retryAfterSeconds) : undefined;
};

const reject = async ({ api, formTokens }: Services, { challenge, view }: Open<'login'>): Promise<Response> => {
  const rejection = { error: 'access_denied', error_description: 'The user did not sign in.' };
  return respondDecided(view, 'login', await api.login.reject(challenge, rejection), formTokens.clear(challenge));
};

/** Adds the account to those that this browser offers at the next sign-in. */
const withAccount = (
  { cookies }: Services,
  request: Request,
  response: Response,
  login: string,
  result: SignIn,
): Response => {
  const name = 'user' in result ? result.user.name : login;
  const cookie = createRememberedAccounts(cookies).add(request, { login, name });
  if (cookie) response.headers.append('set-cookie', cookie);
  return response;
};

/** POST /login: checks the password. Accepts the login, or shows the form again. */
export const submitLogin = (services: Services, request: Request): Promise<Response> =>
  withOpenForm('login', services, request, async (open, form) => {
    if (form.get('decision') === 'reject') return reject(services, open);
    if (form.has('account') || form.has('forget')) return respondChosen(services, request, open, form);
    if (form.get('decision') === 'name') {
      return respondForm(services, request, open, { email: loginNameOf(form), isKnown: true });
    }
    const { userName, password, remember } = credentialsOf(form);
    const context = contextOf(services, request, open);
    const result = await services.accounts.signIn.password({ login: userName, password, ...context });
    const refusal = refusalOf(open.view, result);
    if (refusal !== undefined) {
      const isKnown = form.get('known') === '1';
      return respondForm(services, request, open, { email: userName, isKnown, remember, ...refusal });
    }
    const response = await respondSignIn(services, request, open, { signIn: result, remember });
    return remember ? withAccount(services, request, response, userName, result) : response;
  });
