import { Field, Form, type FormTarget, Submit } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { PasswordField } from '../page/password-field.tsx';
import { invalidField, ProblemMessage } from '../page/problem-message.tsx';
import type { View } from '../page/view.ts';

export interface SignUpPageProps {
  readonly view: View;
  readonly target: FormTarget;
  readonly email: string;
  readonly name: string;
  readonly minimumPasswordLength: number;
  /** The URL of the sign-in page. */
  readonly signIn: string;
  readonly mustAcceptTerms: boolean;
  readonly problem?:
    | { readonly field: 'email' | 'password' | 'terms' | undefined; readonly message: string }
    | undefined;
}

/** The page that creates an account. */
export function SignUpPage(props: SignUpPageProps) {
  const { view, target, email, name, minimumPasswordLength, signIn, mustAcceptTerms, problem } = props;
  const { signUp, newPassword } = view.text;
  const field = problem?.field ?? 'email';
  return (
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
          value={email}
          isWrong={problem?.field === 'email'}
          autoFocus
        />
        <Field
          name="name"
          label={signUp.name}
          hint={signUp.nameHint}
          autoComplete="name"
          maxLength={200}
          value={name}
          isOptional
        />
        <PasswordField
          view={view}
          label={signUp.password}
          hint={newPassword.hint(minimumPasswordLength)}
          autoComplete="new-password"
          minLength={minimumPasswordLength}
          isWrong={problem?.field === 'password'}
        />
        {mustAcceptTerms && <AcceptTerms view={view} isInvalid={problem?.field === 'terms'} />}
        <Submit label={signUp.submit} />
      </Form>
      <p className="fine">
        {signUp.haveAccount}{' '}
        <a id="sign-in" href={signIn}>
          {signUp.signIn}
        </a>
      </p>
    </Page>
  );
}

function AcceptTerms({ view, isInvalid }: { readonly view: View; readonly isInvalid: boolean }) {
  const { links, text } = view;
  return (
    <div className="check">
      <input id="terms" name="terms" type="checkbox" value="1" required {...invalidField(isInvalid)} />
      <span>
        <label htmlFor="terms">{text.signUp.accept}</label>
        <small className="links">
          <a href={links.terms}>{text.consent.terms}</a>
          {links.privacy && <a href={links.privacy}>{text.consent.privacy}</a>}
        </small>
      </span>
    </div>
  );
}
