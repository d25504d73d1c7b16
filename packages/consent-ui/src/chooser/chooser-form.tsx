import type { ShownProvider } from '@carnet/accounts/client';
import type { Client } from '../api/wire.ts';
import { Form, type FormTarget } from '../page/form.tsx';
import { LinkLine } from '../page/link-line.tsx';
import { Page } from '../page/page.tsx';
import { Strong } from '../page/strong.tsx';
import type { View } from '../page/view.ts';
import type { RememberedAccount } from './remembered-accounts.ts';

export interface ChooserFormProps {
  readonly view: View;
  readonly target: FormTarget;
  readonly client: Client;
  readonly accounts: readonly RememberedAccount[];
  /** The providers of the sign-in page, which have the labels of those of the accounts. */
  readonly providers: readonly ShownProvider[];
  /** The URL of the form for another account. */
  readonly otherHref: string;
}

function AccountDetails({ account, providers }: { account: RememberedAccount } & Pick<ChooserFormProps, 'providers'>) {
  const { login, name, provider } = account;
  const label = providers.find((each) => each.name === provider)?.label;
  return (
    <span>
      <bdi>{name}</bdi>
      {[name === login ? undefined : login, label].map(
        (text) =>
          text && (
            <small key={text}>
              <bdi>{text}</bdi>
            </small>
          ),
      )}
    </span>
  );
}

/** The page that offers the accounts of this browser. The value of a button is the place in the list. */
export function ChooserForm({ view, target, client, accounts, providers, otherHref }: ChooserFormProps) {
  const { chooser, login } = view.text;
  return (
    <Page view={view} title={chooser.title} text={login.to(<Strong>{client.client_name || client.client_id}</Strong>)}>
      <Form {...target}>
        <ul className="accounts">
          {accounts.map((account, index) => (
            <li key={account.login}>
              <button type="submit" className="plain" name="account" value={index}>
                <i aria-hidden="true">{[...account.name][0]?.toUpperCase()}</i>
                <AccountDetails account={account} providers={providers} />
              </button>
              <button
                type="submit"
                className="icon"
                name="forget"
                value={index}
                aria-label={chooser.forget(account.login)}
              >
                <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.75" aria-hidden="true">
                  <path d="m7 7 10 10M17 7 7 17" strokeLinecap="round" />
                </svg>
              </button>
            </li>
          ))}
        </ul>
      </Form>
      <LinkLine id="another" href={otherHref} label={login.useAnother} />
    </Page>
  );
}
