import { respondSignIn } from '../factors/respond-sign-in.tsx';
import { contextOf } from '../factors/sign-in-step.ts';
import { signInUrl } from '../factors/sign-in-url.ts';
import { formBody } from '../http/form-body.ts';
import { passwordIn } from '../http/form-password.ts';
import { enteredName } from '../login/entered-name.ts';
import { Form } from '../page/form.tsx';
import { Notice } from '../page/notice.tsx';
import { PasswordField } from '../page/password-field.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { respond } from '../page/respond.ts';
import { type View, viewOf } from '../page/view.ts';
import type { Services } from '../services.ts';
import { pendingSignUp } from './pending-sign-up.ts';
import { returnPath } from './return-to.ts';
import { signUpProof } from './sign-up-proof.ts';

const flow = 'sign-up-confirm';
const maximumLength = 8192;

interface Shown {
  readonly emailed: string;
  /** Whether the user chooses a password here: the form was not sent by this browser. */
  readonly asksPassword: boolean;
  readonly message?: string | undefined;
}

const respondForm = async (services: Services, request: Request, shown: Shown): Promise<Response> => {
  const { emailed, asksPassword, message } = shown;
  const view = viewOf(services, request);
  const { signUp, newPassword } = view.text;
  const { minimumPasswordLength: minLength } = await services.accounts.settings();
  const { token, cookie } = services.formTokens.issue(request, flow);
  const text = asksPassword ? signUp.confirmPasswordText : signUp.confirmText;
  const page = (
    <Notice view={view} title={signUp.confirmTitle} text={text}>
      <ProblemMessage message={message} field="password" />
      <Form action="/sign-up/confirm" token={token} hidden={{ token: emailed }}>
        {asksPassword && (
          <PasswordField
            view={view}
            label={signUp.password}
            hint={newPassword.hint(minLength)}
            autoComplete="new-password"
            minLength={minLength}
            isInvalid={message !== undefined}
            autoFocus
          />
        )}
        <div className="actions">
          <button id="accept" type="submit">
            {signUp.confirm}
          </button>
        </div>
      </Form>
    </Notice>
  );
  return respond(view, page, { status: message === undefined ? 200 : 400, cookie });
};

const respondRefusal = (view: View, error: 'invalid_token' | 'already_registered'): Promise<Response> => {
  const { signUp, links } = view.text;
  const isRegistered = error === 'already_registered';
  const page = (
    <Notice
      view={view}
      title={isRegistered ? signUp.registeredTitle : links.invalidTitle}
      text={isRegistered ? signUp.registered : links.invalid}
      action={
        isRegistered
          ? { id: 'continue', label: links.continue, href: '/account' }
          : { id: 'again', label: signUp.title, href: '/sign-up' }
      }
    />
  );
  return respond(view, page, { status: isRegistered ? 409 : 410 });
};

/**
 * GET /sign-up/confirm?token=...: asks the user to confirm. The token is used by the POST only, because mail programs open
 * links to check them.
 */
export const showConfirmSignUp = async (services: Services, request: Request): Promise<Response> => {
  const emailed = (new URL(request.url).searchParams.get('token') ?? '').slice(0, maximumLength);
  const asksPassword = signUpProof(services).read(request) === undefined;
  // Without proof and password the operation only checks the link.
  const link = asksPassword ? await services.accounts.signUp.confirm({ token: emailed }) : undefined;
  if (link?.ok === false && (link.error === 'invalid_token' || link.error === 'already_registered'))
    return respondRefusal(viewOf(services, request), link.error);
  return respondForm(services, request, { emailed, asksPassword });
};

/**
 * Completes the sign-in that the user came from, in the browser that sent the form. Undefined if there is none, or it has
 * expired: the user then begins a new one.
 */
const signInOf = async (
  services: Services,
  request: Request,
  challenge: string | undefined,
  progress: string | undefined,
): Promise<Response | undefined> => {
  if (challenge === undefined || progress === undefined) return undefined;
  const found = await services.api.login.find(challenge);
  if (found.state !== 'open') return undefined;
  const ofSignIn = new Request(new URL(signInUrl(challenge), request.url), { headers: request.headers });
  const open = { challenge, asked: found.request, view: viewOf(services, ofSignIn, found.request) };
  const signIn = await services.accounts.signIn.resume({ ...contextOf(services, ofSignIn, open), progress });
  return respondSignIn(services, ofSignIn, open, { signIn, remember: false });
};

/** POST /sign-up/confirm. */
export const submitConfirmSignUp = async (services: Services, request: Request): Promise<Response> => {
  const form = await formBody(request);
  services.formTokens.check(request, flow, form);
  const view = viewOf(services, request);
  const emailed = (form.get('token') ?? '').slice(0, maximumLength);
  const proof = signUpProof(services);
  const sent = proof.read(request);
  const result = await services.accounts.signUp.confirm({
    token: emailed,
    proof: sent?.proof,
    binding: sent?.challenge,
    password: form.has('password') ? passwordIn(form, 'password') : undefined,
  });
  const { signUp, links } = view.text;
  if (result.ok) {
    const cookies = [services.formTokens.clear(flow), proof.clear(), pendingSignUp(services).clear()];
    const signedIn = await signInOf(services, request, sent?.challenge, result.progress);
    if (signedIn !== undefined) {
      for (const cookie of cookies) signedIn.headers.append('set-cookie', cookie);
      return signedIn;
    }
    const action = { id: 'continue', label: links.continue, href: returnPath(services, request, result.returnTo) };
    const text = signUp.confirmed(<strong>{result.user.name}</strong>);
    const name = result.user.detail ?? result.user.name;
    return respond(view, <Notice view={view} title={signUp.confirmedTitle} text={text} action={action} />, {
      cookies: [...cookies, enteredName(services).set(name)],
    });
  }
  if (result.error === 'password_needed' || result.error === 'weak_password') {
    const message = result.error === 'weak_password' ? view.text.newPassword.weak : undefined;
    return respondForm(services, request, { emailed, asksPassword: true, message });
  }
  return respondRefusal(view, result.error);
};
