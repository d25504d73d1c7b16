import { respondSignIn } from '../factors/respond-sign-in.tsx';
import { contextOf, signInUrl } from '../factors/sign-in-step.ts';
import { formBody } from '../http/form-body.ts';
import { passwordIn } from '../http/form-password.ts';
import { enteredName } from '../login/entered-name.ts';
import { withOpen } from '../page/flow.ts';
import { Form, issueForm, Submit } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { NewPasswordField } from '../page/password-field.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { respond } from '../page/respond.ts';
import { respondNotice } from '../page/respond-notice.tsx';
import { type View, viewOf } from '../page/view.ts';
import type { Operation, Services } from '../services.ts';
import { returnPath } from './return-to.ts';
import { pendingSignUp, signUpProof } from './sign-up-cookies.ts';

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
  const { signUp } = view.text;
  const { minimumPasswordLength: minLength } = await services.accounts.settings();
  const { target, cookie } = issueForm(services, request, flow, {
    action: '/sign-up/confirm',
    hidden: { token: emailed },
  });
  const text = asksPassword ? signUp.confirmPasswordText : signUp.confirmText;
  const page = (
    <Page view={view} title={signUp.confirmTitle} text={text}>
      <ProblemMessage message={message} field="password" />
      <Form {...target}>
        {asksPassword && (
          <NewPasswordField
            view={view}
            label={signUp.password}
            minLength={minLength}
            isWrong={message !== undefined}
            autoFocus
          />
        )}
        <Submit label={signUp.confirm} />
      </Form>
    </Page>
  );
  return respond(view, page, { status: message === undefined ? 200 : 400, cookie });
};

const respondRefusal = (view: View, error: 'invalid_token' | 'already_registered'): Promise<Response> => {
  const { signUp, links } = view.text;
  if (error === 'already_registered') {
    const action = { id: 'continue', label: links.continue, href: '/account' };
    return respondNotice(view, { title: signUp.registeredTitle, text: signUp.registered, action }, { status: 409 });
  }
  const action = { id: 'again', label: signUp.title, href: '/sign-up' };
  return respondNotice(view, { title: links.invalidTitle, text: links.invalid, action }, { status: 410 });
};

/**
 * GET /sign-up/confirm?token=...: asks the user to confirm. The token is used by the POST only, because mail programs open
 * links to check them.
 */
export const showConfirmSignUp: Operation = async (services, request) => {
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
  if ((await services.api.login.find(challenge)).state !== 'open') return undefined;
  const ofSignIn = new Request(new URL(signInUrl(challenge), request.url), { headers: request.headers });
  const continued = withOpen('login', async (open) => {
    const signIn = await services.accounts.signIn.resume({ ...contextOf(open), progress });
    return respondSignIn(open, signIn, { remember: false });
  });
  return continued(services, ofSignIn);
};

/** POST /sign-up/confirm. */
export const submitConfirmSignUp: Operation = async (services, request) => {
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
    cookies.push(enteredName(services).set(name));
    return respondNotice(view, { title: signUp.confirmedTitle, text, action }, { cookies });
  }
  if (result.error === 'password_needed' || result.error === 'weak_password') {
    const message = result.error === 'weak_password' ? view.text.newPassword.weak : undefined;
    return respondForm(services, request, { emailed, asksPassword: true, message });
  }
  return respondRefusal(view, result.error);
};
