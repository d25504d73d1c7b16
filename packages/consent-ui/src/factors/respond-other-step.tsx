import { dayText } from '../account/dates.ts';
import type { Open } from '../page/flow.ts';
import { Form, Submit } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { PasswordChangeFields } from '../page/password-change-fields.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { respond } from '../page/respond.ts';
import { UserCard } from '../page/user-card.tsx';
import { type SignInStep, signInUrl, stepForm } from './sign-in-step.ts';

/** The page of a user who has asked to be deleted: the account can be kept, or the sign-in ends here. */
export const respondDeletion = (open: Open<'login'>, step: SignInStep, deleteAt: Date): Promise<Response> => {
  const { challenge, view } = open;
  const { account, deletion } = view.text;
  const { target, cookie } = stepForm(open, '/keep-account', step);
  const page = (
    <Page view={view} title={deletion.keepTitle} text={deletion.keepText(dayText(view.language, deleteAt))}>
      <UserCard {...step.user} />
      <Form {...target}>
        <Submit label={deletion.keep}>
          <a className="button plain" id="back" href={signInUrl(challenge)}>
            {account.cancel}
          </a>
        </Submit>
      </Form>
    </Page>
  );
  return respond(view, page, { cookie });
};

/** The page of a user whose directory asks for a new password. `problem` names the field that it is about. */
export const respondNewPassword = async (
  open: Open<'login'>,
  step: SignInStep,
  problem?: { readonly field: 'password' | 'next'; readonly message: string },
): Promise<Response> => {
  const { services, view } = open;
  const { newPassword } = view.text;
  const { minimumPasswordLength: minLength } = await services.accounts.settings();
  const { target, cookie } = stepForm(open, '/new-password', step);
  const field = problem?.field ?? 'password';
  const page = (
    <Page view={view} title={newPassword.title} text={newPassword.text}>
      <UserCard {...step.user} />
      <ProblemMessage message={problem?.message} field={field} />
      <Form {...target}>
        <PasswordChangeFields view={view} current="password" minLength={minLength} invalid={problem?.field} />
        <Submit label={newPassword.save} />
      </Form>
    </Page>
  );
  return respond(view, page, { status: problem ? 400 : 200, cookie });
};
