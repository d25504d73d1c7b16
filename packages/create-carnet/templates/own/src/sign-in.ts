import { html, page, type Reply, redirect } from './page.ts';
import { consent, login } from './requests.ts';
import { findUser, verifyUser } from './users.ts';

// The forms need no CSRF token. The URL that a decision redirects to is valid only in the browser that has the cookie of
// this flow: a form that another site submits with its own challenge leads to an error, and no user is signed in.

/** The fields of a submitted form, or the parameters of a URL. */
type Fields = Readonly<Record<string, unknown>>;

/** The host of a URL, or the scheme of a native app. */
const hostOf = (uri: string): string => (URL.canParse(uri) ? new URL(uri).host || new URL(uri).protocol : uri);

/** The name of a client, or its id. An id that is the URL of a metadata document has a host, which no client can forge. */
const applicationOf = (client: { readonly client_id: string; readonly client_name: string }): string => {
  const name = client.client_name || client.client_id;
  return client.client_id.startsWith('https:') ? `${name} of ${hostOf(client.client_id)}` : name;
};

const loginPage = (challenge: string, application: string, { email = '', isRefused = false } = {}): Reply =>
  page(
    `Sign in to ${application}`,
    html`<p role="alert">${isRefused ? 'The email address or the password is wrong.' : ''}</p>
<form method="post" action="/login">
  <input type="hidden" name="challenge" value="${challenge}">
  <label>Email <input name="email" type="email" autocomplete="username" required value="${email}"></label>
  <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
  <label><input name="remember" type="checkbox"> Stay signed in</label>
  <button>Sign in</button>
</form>`,
    isRefused ? 401 : 200,
  );

const consentPage = (challenge: string, application: string, host: string, scopes: readonly string[]): Reply =>
  page(
    `Allow ${application} to use your account?`,
    html`<p>${application} asks for: ${scopes.join(', ')}. You will return to ${host}.</p>
<form method="post" action="/consent">
  <input type="hidden" name="challenge" value="${challenge}">
  <button name="decision" value="allow">Allow</button>
  <button name="decision" value="deny">Deny</button>
</form>`,
  );

/** If the challenge has expired, the flow begins again. If it is not valid, the answer is an error page. */
const answer = async (work: () => Promise<Reply>): Promise<Reply> => {
  try {
    return await work();
  } catch (error) {
    const { redirectTo, status = 500 } = error as { readonly redirectTo?: string; readonly status?: number };
    if (redirectTo !== undefined) return redirect(redirectTo);
    if (status >= 500) console.error(error);
    return page('This sign-in is not valid', html`<p>Return to the application and try again.</p>`, status);
  }
};

/** `GET /login?login_challenge=...` */
export const showLogin = ({ login_challenge: challenge }: Fields): Promise<Reply> =>
  answer(async () => {
    const { client, skip, subject = '' } = await login.get(String(challenge));
    if (!skip) return loginPage(String(challenge), applicationOf(client));
    return redirect((await login.accept(String(challenge), { subject })).redirectTo);
  });

/** `POST /login` */
export const submitLogin = ({ challenge, email, password, remember }: Fields): Promise<Reply> =>
  answer(async () => {
    const { client } = await login.get(String(challenge));
    const user = await verifyUser(String(email), String(password));
    if (!user) return loginPage(String(challenge), applicationOf(client), { email: String(email), isRefused: true });
    const decision = { subject: user.id, remember: remember === 'on' };
    return redirect((await login.accept(String(challenge), decision)).redirectTo);
  });

const grant = async (challenge: string): Promise<Reply> => {
  const { requestedScopes: grantScopes, requestedAudience: grantAudience, subject } = await consent.get(challenge);
  const { email, name } = findUser(subject) ?? {};
  const claims = { ...(grantScopes.includes('email') && { email }), ...(grantScopes.includes('profile') && { name }) };
  const decision = { grantScopes, grantAudience, claims: { idToken: claims }, remember: true };
  return redirect((await consent.accept(challenge, decision)).redirectTo);
};

/** `GET /consent?consent_challenge=...` */
export const showConsent = ({ consent_challenge: challenge }: Fields): Promise<Reply> =>
  answer(async () => {
    const { client, skip, requestedScopes, requestUrl } = await consent.get(String(challenge));
    if (skip) return grant(String(challenge));
    // The page shows where the browser returns: a client that registered itself chose its name freely.
    const redirectUri = new URL(requestUrl).searchParams.get('redirect_uri') ?? client.redirect_uris?.[0] ?? '';
    return consentPage(String(challenge), applicationOf(client), hostOf(redirectUri), requestedScopes);
  });

/** `POST /consent` */
export const submitConsent = ({ challenge, decision }: Fields): Promise<Reply> =>
  answer(async () => {
    if (decision === 'allow') return grant(String(challenge));
    return redirect((await consent.reject(String(challenge), { error: 'access_denied' })).redirectTo);
  });
