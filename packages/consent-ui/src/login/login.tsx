import { normalizeUserName } from '../directory/user-name.ts';
import { clientAddress } from '../http/client-address.ts';
import { formAction } from '../page/challenge.ts';
import { type Open, respondDecided, withOpen, withOpenForm } from '../page/flow.ts';
import { respond } from '../page/respond.ts';
import type { View } from '../page/view.ts';
import type { Services } from '../services.ts';
import { type Credentials, credentialsOf } from './credentials.ts';
import { LoginForm } from './login-form.tsx';

interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

const respondForm = (
  services: Services,
  request: Request,
  { challenge, asked, view }: Open<'login'>,
  shown: { readonly email: string; readonly remember?: boolean } & Partial<Refusal>,
): Promise<Response> => {
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

const authenticate = async (
  services: Services,
  request: Request,
  view: View,
  credentials: Credentials,
): Promise<{ readonly subject: string } | Refusal> => {
  const userName = normalizeUserName(credentials.userName);
  const address = clientAddress(request, services.settings.trustedProxyHops);
  const retryAfterSeconds = services.attempts.begin(userName, address);
  if (retryAfterSeconds !== undefined) return tooMany(view, retryAfterSeconds);
  try {
    const user = await services.directory.authenticate(credentials.userName, credentials.password);
    if (!user) return { status: 401, message: view.text.login.wrong };
    services.attempts.forgive(userName, address);
    return user;
  } catch (error) {
    services.attempts.forgive(userName, address);
    throw error;
  }
};

const reject = async ({ api, formTokens }: Services, { challenge, view }: Open<'login'>): Promise<Response> => {
  const rejection = { error: 'access_denied', error_description: 'The user did not sign in.' };
  return respondDecided(view, 'login', await api.login.reject(challenge, rejection), formTokens.clear(challenge));
};

/** POST /login: checks the password. Accepts the login, or shows the form again. */
export const submitLogin = (services: Services, request: Request): Promise<Response> =>
  withOpenForm('login', services, request, async (open, form) => {
    const { challenge, view } = open;
    if (form.get('decision') === 'reject') return reject(services, open);
    const credentials = credentialsOf(form);
    const { userName, remember } = credentials;
    const verdict = await authenticate(services, request, view, credentials);
    if ('message' in verdict) return respondForm(services, request, open, { email: userName, remember, ...verdict });
    const decided = await services.api.login.accept(challenge, {
      subject: verdict.subject,
      remember,
      remember_for: services.settings.rememberForSeconds,
      acr: services.settings.passwordAcr,
      amr: ['pwd'],
    });
    return respondDecided(view, 'login', decided, services.formTokens.clear(challenge));
  });
