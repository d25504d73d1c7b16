import type { SignIn } from '@carnet/accounts/client';
import { respondSignIn } from '../factors/respond-sign-in.tsx';
import { contextOf } from '../factors/sign-in-step.ts';
import { formAction } from '../page/challenge.ts';
import { type Open, respondDecided, withOpen, withOpenForm } from '../page/flow.ts';
import { respond } from '../page/respond.ts';
import type { View } from '../page/view.ts';
import type { Services } from '../services.ts';
import { type Credentials, credentialsOf } from './credentials.ts';
import { LoginForm } from './login-form.tsx';
import { otherWaysOf } from './other-ways.tsx';

interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

const respondForm = async (
  services: Services,
  request: Request,
  open: Open<'login'>,
  shown: { readonly email: string; readonly remember?: boolean } & Partial<Refusal>,
): Promise<Response> => {
  const { challenge, asked, view } = open;
  const { token, cookie } = services.formTokens.issue(request, challenge);
  const page = (
    <LoginForm
      view={view}
      action={formAction(request)}
      token={token}
      client={asked.client}
      email={shown.email}
      remember={shown.remember}
      message={shown.message}
      ways={await otherWaysOf(services, request, open, token)}
    />
  );
  return respond(view, page, { status: shown.status, cookie, retryAfterSeconds: shown.retryAfterSeconds });
};

const acceptKnown = async (
  { api, settings }: Services,
  { challenge, asked, view }: Open<'login'>,
): Promise<Response> => {
  const acceptance = { subject: asked.subject, remember: true, remember_for: settings.rememberForSeconds };
  return respondDecided(view, 'login', await api.login.accept(challenge, acceptance));
};

/** GET /login: shows the form, or accepts at once if the browser has a remembered login. */
export const showLogin = (services: Services, request: Request): Promise<Response> =>
  withOpen('login', services, request, (open) => {
    if (open.asked.skip) return acceptKnown(services, open);
    const email = open.asked.oidc_context?.login_hint?.slice(0, 320) ?? '';
    return respondForm(services, request, open, { email });
  });

const tooMany = (view: View, retryAfterSeconds: number): Refusal => ({
  status: 429,
  retryAfterSeconds,
  message: view.text.login.tooMany(Math.ceil(retryAfterSeconds / 60)),
});

const signIn = (
  services: Services,
  request: Request,
  open: Open<'login'>,
  { userName, password }: Credentials,
): Promise<SignIn> => services.users.signIn({ login: userName, password, ...contextOf(services, request, open) });

/** The message of a refused attempt; undefined if the password was right. */
const refusalOf = (view: View, result: SignIn): Refusal | undefined => {
  if (result.state === 'refused') return { status: 401, message: view.text.login.wrong };
  return result.state === 'limited' ? tooMany(view, result.retry_after_seconds) : undefined;
};

const reject = async ({ api, formTokens }: Services, { challenge, view }: Open<'login'>): Promise<Response> => {
  const rejection = { error: 'access_denied', error_description: 'The user did not sign in.' };
  return respondDecided(view, 'login', await api.login.reject(challenge, rejection), formTokens.clear(challenge));
};

/** POST /login: checks the password. Accepts the login, or shows the form again. */
export const submitLogin = (services: Services, request: Request): Promise<Response> =>
  withOpenForm('login', services, request, async (open, form) => {
    if (form.get('decision') === 'reject') return reject(services, open);
    const credentials = credentialsOf(form);
    const { userName, remember } = credentials;
    const result = await signIn(services, request, open, credentials);
    const refusal = refusalOf(open.view, result);
    if (refusal !== undefined) return respondForm(services, request, open, { email: userName, remember, ...refusal });
    return respondSignIn(services, request, open, { signIn: result, remember });
  });
