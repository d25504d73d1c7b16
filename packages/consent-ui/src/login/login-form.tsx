import type { Client } from '../api/wire.ts';
import { formTokenField } from '../csrf/form-token.ts';
import { Page } from '../page/page.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';

export interface LoginFormProps {
  readonly action: string;
  readonly token: string;
  readonly client: Client;
  readonly email: string;
  readonly remember?: boolean;
  readonly message?: string | undefined;
}

/** The login page. The ids are those of Ory's reference pages, which existing tests click on. */
export function LoginForm({ action, token, client, email, remember = false, message }: LoginFormProps) {
  return (
    <Page title="Sign in">
      <h1>Sign in</h1>
      <p className="lead">
        to continue to <strong>{client.client_name || client.client_id}</strong>
      </p>
      <ProblemMessage message={message} />
      <form method="post" action={action}>
        <input type="hidden" name={formTokenField} value={token} />
        <Credentials email={email} isWrong={message !== undefined} />
        <label className="check" htmlFor="remember">
          <input id="remember" name="remember" type="checkbox" value="1" defaultChecked={remember} />
          <span>Keep me signed in on this device</span>
        </label>
        <div className="actions">
          <button id="accept" name="decision" value="accept" type="submit">
            Sign in
          </button>
          <button id="reject" name="decision" value="reject" type="submit" className="plain" formNoValidate>
            Cancel
          </button>
        </div>
      </form>
    </Page>
  );
}

function Credentials({ email, isWrong }: { email: string; isWrong: boolean }) {
  const described = isWrong ? { 'aria-invalid': true, 'aria-describedby': 'message' } : {};
  return (
    <>
      <div className="field">
        <label htmlFor="email">Email</label>
        <input
          id="email"
          name="email"
          type="text"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={320}
          required
          defaultValue={email}
          // biome-ignore lint/a11y/noAutofocus: a page of one form, reached by asking to sign in: no surprise
          autoFocus={email === ''}
          {...described}
        />
      </div>
      <div className="field">
        <label htmlFor="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autoComplete="current-password"
          maxLength={1024}
          required
          // biome-ignore lint/a11y/noAutofocus: a page of one form, reached by asking to sign in: no surprise
          autoFocus={email !== ''}
          {...described}
        />
      </div>
    </>
  );
}
