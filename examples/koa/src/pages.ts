/** Escapes every value that it inserts. */
const html = (parts: TemplateStringsArray, ...values: readonly string[]): string =>
  String.raw({ raw: parts }, ...values.map((value) => value.replaceAll(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)));

export interface LoginPage {
  readonly challenge: string;
  readonly application: string;
  readonly email?: string;
  readonly isRefused?: boolean;
}

export const loginPage = ({ challenge, application, email = '', isRefused }: LoginPage): string => html`<!doctype html>
<title>Sign in</title>
<h1>Sign in to ${application}</h1>
<p role="alert">${isRefused ? 'The email address or the password is wrong.' : ''}</p>
<form method="post" action="/login">
  <input type="hidden" name="challenge" value="${challenge}">
  <p><label>Email <input name="email" type="email" autocomplete="username" required value="${email}"></label></p>
  <p><label>Password <input name="password" type="password" autocomplete="current-password" required></label></p>
  <p><label><input name="remember" type="checkbox"> Stay signed in</label></p>
  <button>Sign in</button>
</form>
`;

export interface ConsentPage {
  readonly challenge: string;
  readonly application: string;
  readonly scopes: readonly string[];
}

export const consentPage = ({ challenge, application, scopes }: ConsentPage): string => html`<!doctype html>
<title>Allow access</title>
<h1>Allow ${application} to use your account?</h1>
<p>It asks for: ${scopes.join(', ')}.</p>
<form method="post" action="/consent">
  <input type="hidden" name="challenge" value="${challenge}">
  <button name="decision" value="allow">Allow</button>
  <button name="decision" value="deny">Deny</button>
</form>
`;

export const errorPage = html`<!doctype html>
<title>Error</title>
<h1>This sign-in is not valid</h1>
<p>Go back to the application and try again.</p>
`;
