import type { ConnectedClient, LoginSession } from '../api/sessions-api.ts';
import { LinkLine } from '../page/link-line.tsx';
import type { View } from '../page/view.ts';
import { type AccountLogin, accountClientId } from './account-client.ts';
import { signedInAt } from './account-session.ts';
import { browserName } from './browser-name.ts';
import { dateText, timeText } from './dates.ts';
import { Item, OverviewSection } from './overview-section.tsx';

export interface SessionsProps {
  readonly view: View;
  readonly sessions: readonly LoginSession[];
  /** The sign-in of this browser. */
  readonly login: Pick<AccountLogin, 'sid' | 'authTime' | 'issuedAt'>;
  /** The User-Agent header of this browser. */
  readonly userAgent: string;
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

/** A sign-in of this browser that is not remembered: the provider has no session of it. "Sign out" below the page ends it. */
function ThisBrowser({ view, login, userAgent }: Pick<SessionsProps, 'view' | 'login' | 'userAgent'>) {
  const { account } = view.text;
  const browser = browserName(userAgent) ?? account.unknownBrowser;
  const since = timeText(view.language, new Date(signedInAt(login)).toISOString());
  const title = `${browser} (${account.thisBrowser})`;
  return <Item title={title} name={browser} details={[account.since(since), account.notKept]} links={[]} />;
}

/** The section of the browsers in which the user is signed in. */
export function Sessions({ view, sessions, login, userAgent }: SessionsProps) {
  const { account } = view.text;
  const isKept = sessions.some(({ sid }) => sid === login.sid);
  return (
    <OverviewSection id="sessions" title={account.sessions} text={account.sessionsText}>
      <ul className="items">
        {!isKept && <ThisBrowser view={view} login={login} userAgent={userAgent} />}
        {sessions.map((session) => (
          <SessionItem key={session.sid} view={view} session={session} isCurrent={session.sid === login.sid} />
        ))}
      </ul>
      <LinkLine id="end-all" href="/account/sessions/end-all" label={account.endAll} />
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
            details={[client.scopes.map(scopeText).join(' · '), account.since(dateText(view.language, client.since))]}
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
