import type { Client } from '../api/wire.ts';
import { EmailCodeButton } from '../email-sign-in/email-code-button.tsx';
import { AccountCard } from '../page/account-card.tsx';
import { Field, Form, type FormTarget, Submit } from '../page/form.tsx';
import { Page } from '../page/page.tsx';
import { PasswordField } from '../page/password-field.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { Strong } from '../page/strong.tsx';
import type { View } from '../page/view.ts';
import { type OtherWays, OtherWaysToSignIn, signInForm } from './other-ways.tsx';

interface NameFormProps {
  readonly view: View;
  readonly target: FormTarget;
  readonly client: Client;
  readonly ways: OtherWays;
}

interface LoginFormProps extends NameFormProps {
  readonly email: string;
  /** The user has chosen the account before: only the password is asked for. */
  readonly isKnown?: boolean | undefined;
  /** The URL of the form for another account. */
  readonly otherHref: string;
  readonly remember?: boolean;
  readonly message?: string | undefined;
  /** The field to which the message leads. Default: the password. */
  readonly field?: 'email' | 'password' | undefined;
}

const clientName = ({ client_name: name, client_id: id }: Client) => <Strong>{name || id}</Strong>;

interface NameFieldProps extends Pick<NameFormProps, 'view' | 'ways'> {
  /** The login name that the field has at first. */
  readonly name: string;
  readonly autoFocus: boolean;
  readonly isWrong?: boolean;
}

/** The login name: an email address or a user name. */
function NameField({ view, ways, name, ...field }: NameFieldProps) {
  return (
    <Field
      name="email"
      label={view.text.login.name}
      dir="ltr"
      inputMode="email"
      // WebAuthn: the browser offers passkeys in this field too.
      autoComplete={ways.passkey ? 'username webauthn' : 'username'}
      maxLength={320}
      value={name}
      {...field}
    />
  );
}

/** The first page of a sign-in where the realm of the login name decides what follows. */
export function NameForm({ view, target, client, ways }: NameFormProps) {
  const text = view.text.login;
  return (
    <Page view={view} title={text.title} text={text.to(clientName(client))}>
      <Form {...target} id={signInForm}>
        <NameField view={view} ways={ways} name="" autoFocus />
        <Submit id="next" label={text.next} name="decision" value="name" />
      </Form>
      <OtherWaysToSignIn view={view} ways={ways} />
    </Page>
  );
}

/** The login page of users who exist at providers only. */
export function ProvidersForm({ view, target, client, ways }: NameFormProps) {
  return (
    <Page view={view} title={view.text.login.title} text={view.text.login.to(clientName(client))}>
      <Form {...target} id={signInForm}>
        {null}
      </Form>
      <OtherWaysToSignIn view={view} ways={ways} isOnly />
    </Page>
  );
}

/** The login page. The ids are those of Ory's reference pages, which existing tests click on. */
export function LoginForm(props: LoginFormProps) {
  const { view, target, client, email, isKnown = false, otherHref, remember = false, message, ways } = props;
  const { field = 'password' } = props;
  const isWrong = message !== undefined;
  const isPasswordWrong = isWrong && field === 'password';
  const text = view.text.login;
  return (
    <Page view={view} title={text.title} text={text.to(clientName(client))}>
      {isKnown && <ChosenAccount view={view} name={email} otherHref={otherHref} />}
      <ProblemMessage message={message} field={field} />
      <Form {...target} id={signInForm}>
        {isKnown ? (
          <input id="email" name="email" type="text" autoComplete="username" defaultValue={email} readOnly hidden />
        ) : (
          <NameField view={view} ways={ways} name={email} autoFocus={email === '' && !isWrong} isWrong={isWrong} />
        )}
        {isKnown && <input type="hidden" name="known" value="1" />}
        <PasswordField
          view={view}
          label={text.password}
          autoComplete="current-password"
          autoFocus={email !== '' && !isWrong}
          isWrong={isPasswordWrong}
        />
        <label className="check" htmlFor="remember">
          <input id="remember" name="remember" type="checkbox" value="1" defaultChecked={remember} />
          <span>
            {text.remember}
            <small>{text.rememberDetail}</small>
          </span>
        </label>
        <Submit label={text.submit} name="decision" value="accept">
          {ways.emailCode && <EmailCodeButton view={view} />}
        </Submit>
      </Form>
      <OtherWaysToSignIn view={view} ways={ways} />
    </Page>
  );
}

function ChosenAccount({ view, name, otherHref }: { view: View; name: string; otherHref: string }) {
  const { notYou, useAnother } = view.text.login;
  return (
    <AccountCard name={name}>
      <small>
        {notYou}{' '}
        <a id="another" href={otherHref}>
          {useAnother}
        </a>
      </small>
    </AccountCard>
  );
}
