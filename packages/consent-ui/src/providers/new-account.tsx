import type { ShownProvider } from '@carnet/accounts/client';
import { respondSignIn } from '../factors/respond-sign-in.tsx';
import { contextOf, type SignInStep, stepForm, stepOf } from '../factors/sign-in-step.ts';
import { type Open, withOpenForm } from '../page/flow.ts';
import { Form, Submit } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { respond } from '../page/respond.ts';
import { Strong } from '../page/strong.tsx';
import { UserCard } from '../page/user-card.tsx';
import { AcceptTerms } from '../sign-up/accept-terms.tsx';
import { CancelForm } from './cancel-form.tsx';
import { shownProviderOf } from './offered.ts';

type NewUser = Pick<SignInStep, 'progress' | 'user' | 'remember'>;

/** The page of the first sign-in of an identity: the user sees the name and the address, and confirms the account. */
export const respondNewAccount = (
  open: Open<'login'>,
  { name, label }: ShownProvider,
  user: NewUser,
  message?: string,
): Promise<Response> => {
  const { services, challenge, view } = open;
  const { providers, signUp } = view.text;
  const step = { ...user, provider: name, kinds: [], required: true };
  const { target, cookie } = stepForm(open, '/new-account', step);
  const page = (
    <Page view={view} title={signUp.title} text={providers.firstTime(<Strong>{label}</Strong>)}>
      <ProblemMessage message={message} field="terms" />
      <UserCard {...user.user} />
      <Form {...target}>
        {services.ui.mustAcceptTerms && <AcceptTerms view={view} isInvalid={message !== undefined} />}
        <Submit label={signUp.submit} />
      </Form>
      <CancelForm view={view} challenge={challenge} token={target.token} />
    </Page>
  );
  return respond(view, page, { status: message === undefined ? 200 : 400, cookie });
};

/** POST /login/new-account: creates the account that the user has confirmed, and completes the sign-in. */
export const submitNewAccount = withOpenForm('login', async (open, form) => {
  const step = stepOf(form);
  const { services, view } = open;
  if (services.ui.mustAcceptTerms && form.get('terms') !== '1') {
    const provider = await shownProviderOf(open, step.provider ?? '');
    return respondNewAccount(open, provider, step, view.text.signUp.notAccepted);
  }
  const { progress } = step;
  const signIn = await services.accounts.providers.signUp({ ...contextOf(open), progress });
  return respondSignIn(open, signIn, step);
});
