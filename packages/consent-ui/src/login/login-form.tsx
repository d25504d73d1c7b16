import type { Client } from '../api/wire.ts';
import { formTokenField } from '../csrf/form-token.ts';
import { AccountCard } from '../page/account-card.tsx';
import { Page } from '../page/page.tsx';
import { PasswordField } from '../page/password-field.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';
import { Strong } from '../page/strong.tsx';
import type { View } from '../page/view.ts';
import { NameField } from './name-field.tsx';
import { type OtherWays, OtherWaysToSignIn, signInForm } from './other-ways.tsx';

export interface LoginFormProps {
  readonly view: View;
  readonly action: string;
  readonly token: string;
  readonly client: Client;
  readonly email: string;
  /** The user has chosen the account before: only the password is asked for. */
  readonly isKnown?: boolean | undefined;
  /** The URL of the form for another account. */
  readonly otherHref: string;
  readonly remember?: boolean;
  readonly message?: string | undefined;
  readonly ways: OtherWays;
}

/** The login page. The ids are those of Ory's reference pages, which existing tests click on. */
export function LoginForm(props: LoginFormProps) {
  const { view, action, token, client, email, isKnown = false, otherHref, remember = false, message, ways } = props;
  const isWrong = message !== undefined;
  const text = view.text.login;
  return (
    <Page view={view} title={text.title}>
      <h1>{text.title}</h1>
      <p className="lead">{text.to(<Strong>{client.client_name || client.client_id}</Strong>)}</p>
      {isKnown && <ChosenAccount view={view} name={email} otherHref={otherHref} />}
      <ProblemMessage message={message} field="password" />
      <form method="post" action={action} id={signInForm}>
        <input type="hidden" name={formTokenField} value={token} />
        {isKnown ? (
          <input id="email" name="email" type="text" autoComplete="username" defaultValue={email} readOnly hidden />
        ) : (
          <NameField
            view={view}
            name={email}
            isFocused={email === '' && !isWrong}
            isInvalid={isWrong}
            hasPasskeys={ways.passkey !== undefined}
          />
        )}
        {isKnown && <input type="hidden" name="known" value="1" />}
        <PasswordField
          view={view}
          label={text.password}
          autoComplete="current-password"
          autoFocus={email !== '' && !isWrong}
          isInvalid={isWrong}
        />
        <label className="check" htmlFor="remember">
          <input id="remember" name="remember" type="checkbox" value="1" defaultChecked={remember} />
          <span>
            {text.remember}
            <small>{text.rememberDetail}</small>
          </span>
        </label>
        <div className="actions">
          <button id="accept" name="decision" value="accept" type="submit">
            {text.submit}
          </button>
        </div>
      </form>
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
