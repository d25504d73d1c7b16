import type { Open } from '../page/flow.ts';
import { Form } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { PasswordChangeFields } from '../page/password-change-fields.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { respond } from '../page/respond.ts';
import { UserCard } from '../page/user-card.tsx';
import type { Services } from '../services.ts';
import { hiddenFields, type SignInStep } from './sign-in-step.ts';
import { signInUrl } from './sign-in-url.ts';

export interface ShownNewPassword {
  readonly step: SignInStep;
  /** The field that the message is about, and the message. */
  readonly problem?: { readonly field: 'password' | 'next'; readonly message: string };
}

/** The page of a user whose directory asks for a new password. */
export const respondNewPassword = async (
  services: Services,
  request: Request,
  { challenge, view }: Open<'login'>,
  { step, problem }: ShownNewPassword,
): Promise<Response> => {
  const { newPassword } = view.text;
  const { minimumPasswordLength: minLength } = await services.accounts.settings();
  const { token, cookie } = services.formTokens.issue(request, challenge);
  const field = problem?.field ?? 'password';
  const page = (
    <Page view={view} title={newPassword.title}>
      <h1>{newPassword.title}</h1>
      <p className="lead">{newPassword.text}</p>
      <UserCard {...step.user} />
      <ProblemMessage message={problem?.message} field={field} />
      <Form action={signInUrl(challenge, '/new-password')} token={token} hidden={hiddenFields(step)}>
        <PasswordChangeFields view={view} current="password" minLength={minLength} invalid={problem?.field} />
        <div className="actions">
          <button id="accept" type="submit">
            {newPassword.save}
          </button>
        </div>
      </Form>
    </Page>
  );
  return respond(view, page, { status: problem ? 400 : 200, cookie });
};
