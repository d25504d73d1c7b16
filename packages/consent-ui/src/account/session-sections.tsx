import type { ConnectedClient, LoginSession } from '../api/sessions-api.ts';
import type { View } from '../page/view.ts';
import { accountClientId } from './account-client.ts';
import { browserName } from './browser-name.ts';
import { dateText, timeText } from './dates.ts';
import { Item, OverviewSection } from './overview-section.tsx';

export interface SessionsProps {
  readonly view: View;
  readonly sessions: readonly LoginSession[];
  /** The session of this browser. */
  readonly current: string | undefined;
}

const listed = (view: View, names: readonly string[]): string =>
  new Intl.ListFormat(view.language, { type: 'conjunction' }).format(names);

function SessionItem({ view, session, isCurrent }: { view: View; session: LoginSession; isCurrent: boolean }) {
  const { account } = view.text;
  const browser = browserName(session.place?.user_agent ?? '') ?? account.unknownBrowser;
  const clients = (session.clients ?? [])
    .filter(({ client_id }) => client_id !== accountClientId)
    .map(({ client_id, client_name }) => client_name || client_id);
  return (
    <Item
      title={isCurrent ? `${browser} (${account.thisBrowser})` : browser}
      name={browser}
      details={[
        account.since(timeText(view.language, session.authenticated_at)),
        session.place?.address,
        clients.length > 0 && account.usedFor(listed(view, clients)),
      ]}
      links={[{ label: account.end, href: `/account/sessions/end?${new URLSearchParams({ sid: session.sid })}` }]}
    />
  );
}

/** The section of the browsers in which the user is signed in. */
export function Sessions({ view, sessions, current }: SessionsProps) {
  const { account } = view.text;
  return (
    <OverviewSection id="sessions" title={account.sessions} text={account.sessionsText}>
      {sessions.length === 0 && <p>{account.noSessions}</p>}
      <ul className="items">
        {sessions.map((session) => (
          <SessionItem key={session.sid} view={view} session={session} isCurrent={session.sid === current} />
        ))}
      </ul>
      {sessions.length > 0 && (
        <p>
          <a id="end-all" href="/account/sessions/end-all">
            {account.endAll}
          </a>
        </p>
      )}
    </OverviewSection>
  );
}

export interface ApplicationsProps {
  readonly view: View;
  readonly clients: readonly ConnectedClient[];
}

/** The section of the clients that have access. */
export function Applications({ view, clients }: ApplicationsProps) {
  const { account, scopes } = view.text;
  const shown = clients.filter(({ id }) => id !== accountClientId);
  const scopeText = (scope: string) => (Object.hasOwn(scopes, scope) ? scopes[scope as keyof typeof scopes] : scope);
  return (
    <OverviewSection id="applications" title={account.applications} text={account.applicationsText}>
      {shown.length === 0 && <p>{account.noApplications}</p>}
      <ul className="items">
        {shown.map((client) => (
          <Item
            key={client.id}
            title={client.name}
            name={client.name}
            details={[
              client.scopes.map(scopeText).join(' · '),
              account.since(dateText(view.language, client.since.toISOString())),
            ]}
            links={[
              {
                label: account.revoke,
                href: `/account/applications/revoke?${new URLSearchParams({ client: client.id })}`,
              },
            ]}
          />
        ))}
      </ul>
    </OverviewSection>
  );
}
