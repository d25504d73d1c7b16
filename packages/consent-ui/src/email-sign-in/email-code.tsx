import { CodeForm } from '../factors/respond-factor.tsx';
import { respondSignIn } from '../factors/respond-sign-in.tsx';
import { contextOf, type KeptInSignIn, keptIn, signInUrl } from '../factors/sign-in-step.ts';
import { loginNameOf } from '../login/credentials.ts';
import { refusalOf } from '../login/refusal.ts';
import { respondForm } from '../login/respond-login.tsx';
import { respondVerified } from '../login/respond-verified.ts';
import { AccountCard } from '../page/account-card.tsx';
import { type Open, withOpenForm } from '../page/flow.ts';
import { issueForm } from '../page/form.tsx';
import { LinkLine } from '../page/link-line.tsx';
import { Page } from '../page/page.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { respond } from '../page/respond.ts';
import { Problem } from '../problem.ts';
import { beginAtOnlyProvider } from '../providers/begin.ts';

/** The part of the sign-in that travels in the form. `progress` is sealed, and only the code makes it valid. */
interface Pending extends KeptInSignIn {
  readonly login: string;
  readonly progress: string;
}

interface Refused {
  readonly status: number;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

/** The page that asks for the code. It is the same for a user who does not exist. */
const respondCode = (open: Open<'login'>, { login, remember, link, progress }: Pending, refused?: Refused) => {
  const { services, request, challenge, view } = open;
  const { emailSignIn, factors } = view.text;
  const hidden = { progress, email: login, remember: remember ? '1' : undefined, link };
  const issued = issueForm(services, request, challenge, { action: signInUrl(challenge, '/email-code'), hidden });
  const page = (
    <Page view={view} title={emailSignIn.title} text={emailSignIn.text}>
      <AccountCard name={login} />
      <ProblemMessage message={refused?.message} field="code" />
      <CodeForm view={view} target={issued.target} kind="email" isWrong={refused !== undefined} />
      <LinkLine id="start-again" href={signInUrl(challenge)} label={factors.startAgain} isFine />
    </Page>
  );
  const { status, retryAfterSeconds } = refused ?? {};
  return respond(view, page, { status, retryAfterSeconds, cookie: issued.cookie });
};

/** Sends a code, and asks for it. `earlier`: the page is already shown, and the code of its last email stays valid if no other one is sent. */
export const sendEmailCode = async (
  open: Open<'login'>,
  entered: Omit<Pending, 'progress'>,
  earlier?: Pending,
): Promise<Response> => {
  const { services, view } = open;
  const { login, remember, link } = entered;
  const input = { ...contextOf(open), login, language: view.language };
  const sent = await services.accounts.signIn.requestEmailCode(input);
  if (sent.state === 'email_code') return respondCode(open, { ...entered, progress: sent.progress });
  const { retryAfterSeconds } = sent;
  if (earlier !== undefined)
    return respondCode(open, earlier, { status: 429, message: view.text.factors.noMoreCodes, retryAfterSeconds });
  if (link !== undefined) return respondSignIn(open, sent, entered);
  return respondForm(open, { email: login, remember, field: 'email', ...refusalOf(view, sent) });
};

/** The button of the sign-in form. A login name whose domain belongs to a provider signs in there. */
export const beginEmailSignIn = async (open: Open<'login'>, form: URLSearchParams): Promise<Response> => {
  const { remember } = keptIn(form);
  if ((form.get('email') ?? '').trim() === '') {
    const { nameMissing: message } = open.view.text.emailSignIn;
    return respondForm(open, { email: '', remember, status: 400, field: 'email', message });
  }
  const login = loginNameOf(form);
  return (await beginAtOnlyProvider(open, { loginHint: login })) ?? sendEmailCode(open, { login, remember });
};

/** POST /login/email-code: verifies the code, or sends another one. */
export const submitEmailCode = withOpenForm('login', async (open, form) => {
  const { services, view } = open;
  const { emailSignIn, factors } = view.text;
  const progress = form.get('progress');
  const code = (form.get('code') ?? '').replaceAll(/\s/g, '');
  if (!progress || code.length > 64) throw new Problem('invalid_form');
  const pending = { login: loginNameOf(form), ...keptIn(form), progress };
  if (form.get('choose') === 'email') return sendEmailCode(open, pending, pending);
  if (code === '') return respondCode(open, pending, { status: 401, message: factors.wrongEmailCode });
  const result = await services.accounts.signIn.emailCode({ ...contextOf(open), progress, code, link: pending.link });
  const { login, remember, link } = pending;
  switch (result.state) {
    case 'refused':
      return respondCode(open, pending, { status: 401, message: factors.wrongEmailCode });
    case 'limited':
      return respondCode(open, pending, { status: 429, message: emailSignIn.usedUp });
    case 'expired':
      if (link !== undefined) return respondSignIn(open, result, pending);
      return respondForm(open, { email: login, remember, status: 401, field: 'email', message: emailSignIn.expired });
    default:
      return respondVerified(open, result, pending);
  }
});
