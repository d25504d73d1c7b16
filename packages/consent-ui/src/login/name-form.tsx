import type { Client } from '../api/wire.ts';
import { formTokenField } from '../csrf/form-token.ts';
import { Page } from '../page/page.tsx';
import { Strong } from '../page/strong.tsx';
import type { View } from '../page/view.ts';
import { NameField } from './name-field.tsx';
import { type OtherWays, OtherWaysToSignIn, signInForm } from './other-ways.tsx';

export interface NameFormProps {
  readonly view: View;
  readonly action: string;
  readonly token: string;
  readonly client: Client;
  readonly ways: OtherWays;
}

/** The first page of a sign-in where the realm of the login name decides what follows. */
export function NameForm({ view, action, token, client, ways }: NameFormProps) {
  const text = view.text.login;
  return (
    <Page view={view} title={text.title}>
      <h1>{text.title}</h1>
      <p className="lead">{text.to(<Strong>{client.client_name || client.client_id}</Strong>)}</p>
      <form method="post" action={action} id={signInForm}>
        <input type="hidden" name={formTokenField} value={token} />
        <NameField view={view} name="" isFocused hasPasskeys={ways.passkey !== undefined} />
        <div className="actions">
          <button id="next" name="decision" value="name" type="submit">
            {text.next}
          </button>
        </div>
      </form>
      <OtherWaysToSignIn view={view} ways={ways} />
    </Page>
  );
}
