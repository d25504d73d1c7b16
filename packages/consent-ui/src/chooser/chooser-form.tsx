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
  /** The URL of the form for another account. */
  readonly otherHref: string;
}

/** The page that offers the accounts of this browser. The value of a button is the place in the list. */
export function ChooserForm({ view, target, client, accounts, otherHref }: ChooserFormProps) {
  const { chooser, login } = view.text;
  return (
    <Page view={view} title={chooser.title} text={login.to(<Strong>{client.client_name || client.client_id}</Strong>)}>
      <Form {...target}>
        <ul className="accounts">
          {accounts.map(({ login: name, name: shown }, index) => (
            <li key={name}>
              <button type="submit" className="plain" name="account" value={index}>
                <i aria-hidden="true">{[...shown][0]?.toUpperCase()}</i>
                <span>
                  <bdi>{shown}</bdi>
                  {shown !== name && (
                    <small>
                      <bdi>{name}</bdi>
                    </small>
                  )}
                </span>
              </button>
              <button type="submit" className="icon" name="forget" value={index} aria-label={chooser.forget(name)}>
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
