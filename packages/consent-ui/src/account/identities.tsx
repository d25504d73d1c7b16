import { AccountsError, type LinkedIdentity, type ShownProvider } from '@carnet/accounts/client';
import { LinkLine } from '../page/link-line.tsx';
import type { View } from '../page/view.ts';
import { accountClientId } from './account-client.ts';
import type { AccountContext } from './account-context.ts';
import { dateText } from './dates.ts';
import { Item, OverviewSection } from './overview-section.tsx';

/** The identities at providers that are linked to the user. An earlier server has none. */
export const identitiesOf = async ({ accounts, login }: AccountContext): Promise<readonly LinkedIdentity[]> => {
  try {
    return (await accounts.providers.identities({ subject: login.subject })).identities;
  } catch (error) {
    if (error instanceof AccountsError && error.code === 'not_supported') return [];
    throw error;
  }
};

/** The providers with which the user can sign in to the account page. */
export const providersOf = async ({ accounts }: AccountContext): Promise<readonly ShownProvider[]> =>
  (await accounts.providers.list({ clientId: accountClientId })).providers;

export interface IdentitiesProps {
  readonly view: View;
  readonly identities: readonly LinkedIdentity[];
  readonly providers: readonly ShownProvider[];
}

/** The section of the identities at providers; absent where there is no provider. */
export function Identities({ view, identities, providers }: IdentitiesProps) {
  const { account, providers: text } = view.text;
  if (identities.length === 0 && providers.length === 0) return null;
  const others = providers.filter(({ name }) => !identities.some(({ provider }) => provider === name));
  return (
    <OverviewSection id="providers" title={text.section} text={text.sectionText}>
      {identities.length > 0 && (
        <ul className="items">
          {identities.map(({ id, label, shown, linkedAt }) => (
            <Item
              key={id}
              title={label}
              name={label}
              details={[shown, text.connected(dateText(view.language, linkedAt))]}
              links={[{ label: account.remove, href: `/account/providers/remove?${new URLSearchParams({ id })}` }]}
            />
          ))}
        </ul>
      )}
      {others.map(({ name, label }) => (
        <LinkLine
          key={name}
          id={`connect-${name}`}
          href={`/account/providers/add?${new URLSearchParams({ provider: name })}`}
          label={text.connect(label)}
        />
      ))}
    </OverviewSection>
  );
}
