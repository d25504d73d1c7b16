import type { Client } from '../api/wire.ts';
import { formTokenField } from '../csrf/form-token.ts';
import { Page } from '../page/page.tsx';
import { PasswordField } from '../page/password-field.tsx';
import { invalidField, ProblemMessage } from '../page/problem-message.tsx';
import { Strong } from '../page/strong.tsx';
import type { View } from '../page/view.ts';
import { type OtherWays, OtherWaysToSignIn } from './other-ways.tsx';

export interface LoginFormProps {
  readonly view: View;
  readonly action: string;
  readonly token: string;
  readonly client: Client;
  readonly email: string;
  readonly remember?: boolean;
  readonly message?: string | undefined;
  readonly ways?: OtherWays | undefined;
}

/** The login page. The ids are those of Ory's reference pages, which existing tests click on. */
export function LoginForm({ view, action, token, client, email, remember = false, message, ways }: LoginFormProps) {
  const text = view.text.login;
  return (
    <Page view={view} title={text.title}>
      <h1>{text.title}</h1>
      <p className="lead">{text.to(<Strong>{client.client_name || client.client_id}</Strong>)}</p>
      <ProblemMessage message={message} field="password" />
      <form method="post" action={action}>
        <input type="hidden" name={formTokenField} value={token} />
        <Credentials
          view={view}
          email={email}
          isWrong={message !== undefined}
          hasPasskeys={ways?.passkey !== undefined}
        />
        <label className="check" htmlFor="remember">
          <input id="remember" name="remember" type="checkbox" value="1" defaultChecked={remember} />
          <span>{text.remember}</span>
        </label>
        <div className="actions">
          <button id="accept" name="decision" value="accept" type="submit">
            {text.submit}
          </button>
          <button id="reject" name="decision" value="reject" type="submit" className="plain" formNoValidate>
            {text.cancel}
          </button>
        </div>
      </form>
      {ways && <OtherWaysToSignIn view={view} ways={ways} />}
    </Page>
  );
}

interface CredentialsProps {
  readonly view: View;
  readonly email: string;
  readonly isWrong: boolean;
  readonly hasPasskeys: boolean;
}

function Credentials({ view, email, isWrong, hasPasskeys }: CredentialsProps) {
  return (
    <>
      <div className="field">
        <label htmlFor="email">{view.text.login.name}</label>
        <input
          id="email"
          name="email"
          type="text"
          dir="ltr"
          inputMode="email"
          // WebAuthn: the browser offers passkeys in this field too.
          autoComplete={hasPasskeys ? 'username webauthn' : 'username'}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={320}
          required
          defaultValue={email}
          // biome-ignore lint/a11y/noAutofocus: a page of one form, reached by asking to sign in: no surprise
          autoFocus={email === '' && !isWrong}
          {...invalidField(isWrong)}
        />
      </div>
      <PasswordField
        view={view}
        label={view.text.login.password}
        autoComplete="current-password"
        autoFocus={email !== '' && !isWrong}
        isInvalid={isWrong}
      />
    </>
  );
}
