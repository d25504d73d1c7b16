import { z } from 'zod';
import { clientAddress } from '../http/client-address.ts';
import { formBody } from '../http/form-body.ts';
import { passwordIn } from '../http/form-password.ts';
import { Field, Form, issueForm, Submit } from '../page/form.tsx';
import { LinkLine } from '../page/link-line.tsx';
import { Page } from '../page/page.tsx';
import { NewPasswordField } from '../page/password-field.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { respond } from '../page/respond.ts';
import { respondNotice } from '../page/respond-notice.tsx';
import { Strong } from '../page/strong.tsx';
import { type View, viewOf } from '../page/view.ts';
import { Problem } from '../problem.ts';
import type { Operation, Services } from '../services.ts';
import { AcceptTerms } from './accept-terms.tsx';
import { challengeIn, existingUserUrl, returnToOf } from './return-to.ts';
import { maximumChallengeLength, type PendingSignUp, pendingSignUp, signUpProof } from './sign-up-cookies.ts';

interface Shown extends Pick<PendingSignUp, 'email' | 'name'> {
  readonly problem?: { readonly field: 'email' | 'password' | 'terms' | undefined; readonly message: string };
  readonly status?: number;
}

const flowOf = (request: Request): string => challengeIn(request) ?? 'sign-up';

/** The page that creates an account. */
const respondForm = async (services: Services, request: Request, view: View, shown: Shown): Promise<Response> => {
  const { signUp: isOn, minimumPasswordLength: minLength, emailSignIn } = await services.accounts.settings();
  const { links, signUp } = view.text;
  if (!isOn) return respondNotice(view, { title: links.offTitle, text: links.off }, { status: 404 });
  const { target, cookie } = issueForm(services, request, flowOf(request));
  const { problem } = shown;
  const field = problem?.field ?? 'email';
  const page = (
    <Page view={view} title={signUp.title}>
      <ProblemMessage message={problem?.message} field={field} />
      <Form {...target}>
        <Field
          name="email"
          label={signUp.email}
          type="email"
          inputMode="email"
          autoComplete="username"
          maxLength={320}
          value={shown.email}
          isWrong={problem?.field === 'email'}
          autoFocus
        />
        <Field
          name="name"
          label={signUp.name}
          hint={signUp.nameHint}
          autoComplete="name"
          maxLength={200}
          value={shown.name}
          isOptional
        />
        <NewPasswordField
          view={view}
          label={signUp.password}
          minLength={minLength}
          isOptional={emailSignIn}
          isWrong={problem?.field === 'password'}
        />
        {services.ui.mustAcceptTerms && <AcceptTerms view={view} isInvalid={problem?.field === 'terms'} />}
        <Submit label={signUp.submit} />
      </Form>
      <p className="fine">
        {signUp.haveAccount}{' '}
        <a id="sign-in" href={existingUserUrl(challengeIn(request))}>
          {signUp.signIn}
        </a>
      </p>
    </Page>
  );
  return respond(view, page, { status: shown.status, cookie });
};

/** GET /sign-up. */
export const showSignUp: Operation = (services, request) => {
  const { email = '', name = '' } = pendingSignUp(services).read(request) ?? {};
  return respondForm(services, request, viewOf(services, request), { email, name });
};

const fields = z.object({ email: z.string().trim().min(1).max(320), name: z.string().trim().max(200).prefault('') });

/** The page after the form. It can send the message again, or lead back to the form. */
const respondSent = (services: Services, request: Request, view: View, proof: string, form: PendingSignUp) => {
  const { signUp } = view.text;
  const challenge = challengeIn(request);
  const { target, cookie } = issueForm(services, request, flowOf(request));
  const kept = challenge !== undefined && challenge.length <= maximumChallengeLength ? challenge : undefined;
  const page = (
    <Page view={view} title={signUp.sentTitle} text={signUp.sent(<Strong>{form.email}</Strong>)}>
      <p>{signUp.sentHint}</p>
      <Form {...target}>
        <Submit id="resend" label={signUp.resend} name="decision" value="resend" isPlain />
      </Form>
      <LinkLine id="wrong-address" href={target.action} label={signUp.wrongAddress} isFine />
    </Page>
  );
  const cookies = [signUpProof(services).set({ proof, challenge: kept }), pendingSignUp(services).set(form)];
  return respond(view, page, { cookie, cookies });
};

/** The fields of the form; for "Resend" those of the form that this browser sent before. */
const fieldsOf = (services: Services, request: Request, form: URLSearchParams): PendingSignUp | undefined => {
  if (form.get('decision') === 'resend') return pendingSignUp(services).read(request);
  const parsed = fields.safeParse(Object.fromEntries(form));
  if (!parsed.success) throw new Problem('invalid_form');
  // An empty password is refused by the accounts API unless users can sign in by email.
  return { ...parsed.data, password: form.get('password') === '' ? undefined : passwordIn(form, 'password') };
};

/** POST /sign-up: the answer is the same for known and unknown addresses. */
export const submitSignUp: Operation = async (services, request) => {
  const form = await formBody(request);
  services.formTokens.check(request, flowOf(request), form);
  const view = viewOf(services, request);
  const entered = fieldsOf(services, request, form);
  if (entered === undefined) return showSignUp(services, request);
  const { email, name, password } = entered;
  const isResent = form.get('decision') === 'resend';
  if (services.ui.mustAcceptTerms && !isResent && form.get('terms') !== '1') {
    const problem = { field: 'terms', message: view.text.signUp.notAccepted } as const;
    return respondForm(services, request, view, { email, name, status: 400, problem });
  }
  const { uiUrl, trustedProxyHops } = services.settings;
  const result = await services.accounts.signUp.request({
    email,
    password,
    name: name || undefined,
    language: view.language,
    linkBase: new URL('/sign-up/confirm', uiUrl).href,
    returnTo: returnToOf(uiUrl, challengeIn(request)),
    address: clientAddress(request, trustedProxyHops),
  });
  if (result.ok) return respondSent(services, request, view, result.proof, entered);
  const { signUp, links, newPassword } = view.text;
  const problems = {
    weak_password: { status: 400, problem: { field: 'password', message: newPassword.weak } },
    invalid_email: { status: 400, problem: { field: 'email', message: signUp.invalidEmail } },
    limited: { status: 429, problem: { field: undefined, message: links.limited } },
    not_supported: { status: 404, problem: { field: undefined, message: links.off } },
  } as const;
  return respondForm(services, request, view, { email, name, ...problems[result.error] });
};
