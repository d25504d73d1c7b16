import type { LoginRequest } from '../api/wire.ts';
import { normalizeUserName } from '../directory/user-name.ts';
import { clientAddress } from '../http/client-address.ts';
import { formBody } from '../http/form-body.ts';
import { challengeOf, formAction } from '../page/challenge.ts';
import { respondClosed } from '../page/closed-page.tsx';
import { respond, seeOther } from '../page/respond.ts';
import type { Services } from '../services.ts';
import { type Credentials, credentialsOf } from './credentials.ts';
import { LoginForm } from './login-form.tsx';

/** GET /login: the form, or straight on if the provider knows the person already. */
export async function showLogin(services: Services, request: Request): Promise<Response> {
  const challenge = challengeOf(request, 'login');
  const asked = await services.api.login.find(challenge);
  if (asked.state !== 'open') return respondClosed(asked);
  if (asked.request.skip) return acceptKnown(services, challenge, asked.request.subject);
  return respondForm(services, request, asked.request, {
    email: asked.request.oidc_context?.login_hint?.slice(0, 320) ?? '',
  });
}

/** POST /login: checks the password and goes on, or shows the form again. */
export async function submitLogin(services: Services, request: Request): Promise<Response> {
  const challenge = challengeOf(request, 'login');
  const form = await formBody(request);
  // Before the form token, whose cookie is gone when the flow is over: an old tab is to hear of that and not of cookies.
  const asked = await services.api.login.find(challenge);
  if (asked.state !== 'open') return respondClosed(asked);
  services.formTokens.check(request, challenge, form);
  if (form.get('decision') === 'reject') return reject(services, challenge);
  const credentials = credentialsOf(form);

  const verdict = await authenticate(services, request, credentials);
  if ('message' in verdict) {
    const { userName, remember } = credentials;
    return respondForm(services, request, asked.request, { email: userName, remember, ...verdict });
  }
  const decided = await services.api.login.accept(challenge, {
    subject: verdict.subject,
    remember: credentials.remember,
    remember_for: services.settings.rememberForSeconds,
    amr: ['pwd'],
  });
  if (decided.state !== 'decided') return respondClosed(decided);
  return seeOther(decided.redirectTo, services.formTokens.clear(challenge));
}

interface Refusal {
  status: number;
  message: string;
  retryAfterSeconds?: number;
}

async function authenticate(
  services: Services,
  request: Request,
  credentials: Credentials,
): Promise<{ subject: string } | Refusal> {
  const userName = normalizeUserName(credentials.userName);
  const address = clientAddress(request, services.settings.trustedProxyHops);
  const retryAfterSeconds = services.attempts.begin(userName, address);
  if (retryAfterSeconds !== undefined) {
    const minutes = Math.ceil(retryAfterSeconds / 60);
    return {
      status: 429,
      retryAfterSeconds,
      message: `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    };
  }
  try {
    const user = await services.directory.authenticate(credentials.userName, credentials.password);
    if (!user) return { status: 401, message: 'Wrong email or password.' };
    services.attempts.forgive(userName, address);
    return user;
  } catch (error) {
    services.attempts.forgive(userName, address);
    throw error;
  }
}

async function acceptKnown(services: Services, challenge: string, subject: string): Promise<Response> {
  const { rememberForSeconds } = services.settings;
  const decided = await services.api.login.accept(challenge, {
    subject,
    remember: true,
    remember_for: rememberForSeconds,
  });
  return decided.state === 'decided' ? seeOther(decided.redirectTo) : respondClosed(decided);
}

async function reject(services: Services, challenge: string): Promise<Response> {
  const decided = await services.api.login.reject(challenge, {
    error: 'access_denied',
    error_description: 'The person did not log in.',
  });
  if (decided.state !== 'decided') return respondClosed(decided);
  return seeOther(decided.redirectTo, services.formTokens.clear(challenge));
}

function respondForm(
  services: Services,
  request: Request,
  { client }: LoginRequest,
  shown: { email: string; remember?: boolean } & Partial<Refusal>,
): Promise<Response> {
  const { token, cookie } = services.formTokens.issue(request, challengeOf(request, 'login'));
  const page = (
    <LoginForm
      action={formAction(request)}
      token={token}
      client={client}
      email={shown.email}
      remember={shown.remember}
      message={shown.message}
    />
  );
  return respond(page, { status: shown.status, cookie, retryAfterSeconds: shown.retryAfterSeconds });
}
