import { beginEmailSignIn } from '../email-sign-in/email-code.tsx';
import { contextOf } from '../factors/sign-in-step.ts';
import { type Open, rejectLogin, withOpen, withOpenForm } from '../page/flow.ts';
import { seeOther } from '../page/respond.ts';
import { acceptKnown } from './accept-known.ts';
import { credentialsOf, loginNameOf } from './credentials.ts';
import { refusalOf } from './refusal.ts';
import { respondChosen, respondForm, respondLogin, respondNamed } from './respond-login.tsx';
import { respondVerified } from './respond-verified.ts';

/** The client asks for a sign-up (Initiating User Registration via OpenID Connect 1.0). */
const asksForSignUp = async ({ services, asked, view }: Open<'login'>): Promise<boolean> => {
  const prompts = URL.parse(asked.request_url ?? '')
    ?.searchParams.get('prompt')
    ?.split(' ');
  // The sign-up page leads users who have an account back to this page, for another account.
  if (!prompts?.includes('create') || view.url.searchParams.has('account')) return false;
  return (await services.accounts.settings()).signUp;
};

/** GET /login: shows the form, or accepts at once if the browser has a remembered login. */
export const showLogin = withOpen('login', async (open) => {
  if (open.asked.skip) return acceptKnown(open);
  if (!(await asksForSignUp(open))) return respondLogin(open);
  return seeOther(`/sign-up?${new URLSearchParams({ login_challenge: open.challenge })}`);
});

/** POST /login: checks the password. Accepts the login, or shows the form again. */
export const submitLogin = withOpenForm('login', async (open, form) => {
  if (form.get('decision') === 'reject') return rejectLogin(open, 'access_denied', 'The user did not sign in.');
  if (form.has('account') || form.has('forget')) return respondChosen(open, form);
  if (form.get('decision') === 'name') return respondNamed(open, loginNameOf(form));
  if (form.get('decision') === 'email-code') return beginEmailSignIn(open, form);
  const { login, password, remember } = credentialsOf(form);
  const { services, view } = open;
  const result = await services.accounts.signIn.password({ login, password, ...contextOf(open) });
  const refusal = refusalOf(view, result);
  if (refusal !== undefined) {
    return respondForm(open, { email: login, isKnown: form.get('known') === '1', remember, ...refusal });
  }
  return respondVerified(open, result, { login, remember });
});
