import type { SessionMessages } from './en.ts';

export const de: SessionMessages = {
  subject: 'Subject eines Benutzers',
  client: 'Client-Id',
  hint: 'Geben Sie eines von beiden ein. Die Seite der Benutzer findet das Subject zum Anmeldenamen.',
  sessions: 'Sitzungen',
  consents: 'Einwilligungen',
  ofUser: 'Sitzungen von {subject}',
  consentsOfUser: 'Einwilligungen von {subject}',
  showSessions: 'Sitzungen zeigen',
  showConsents: 'Einwilligungen zeigen',
  sessionColumns: {
    since: 'Angemeldet',
    place: 'Browser',
    clients: 'Clients',
    level: 'Authentifizierung',
    until: 'Bis',
    change: 'Änderung',
  },
  consentColumns: {
    client: 'Client',
    scopes: 'Scopes',
    audience: 'Audience',
    since: 'Erteilt',
    remembered: 'Gemerkt',
    change: 'Änderung',
  },
  forever: 'bis zum Widerruf',
  end: 'Sitzung beenden',
  endAll: 'Alle Sitzungen beenden',
  endAllWarning:
    'Alle Sitzungen des Benutzers enden, und die Clients werden benachrichtigt. Tokens bleiben gültig: Die Seite des Benutzers widerruft sie auch.',
  revoke: 'Widerrufen',
  revokeAll: 'Alle Einwilligungen widerrufen',
  revokeAllWarning: 'Alle Einwilligungen des Benutzers werden widerrufen, mit den Tokens, die davon abhängen.',
  noSessions: 'Der Benutzer hat keine gemerkten Sitzungen.',
  noConsents: 'Der Benutzer hat keine Einwilligungen.',
  ofClient: 'Benutzer des Clients {client}',
  clientHint:
    'Sitzungen werden nach Benutzer gespeichert. Diese Benutzer haben sich beim Client angemeldet oder Tokens bekommen, soweit die aufbewahrten Ereignisse es zeigen.',
  clientColumns: {
    user: 'Benutzer',
    last: 'Letztes Ereignis',
    type: 'Typ',
    show: 'Zeigen',
  },
  noUsers: 'Kein Ereignis dieses Clients nennt in der durchsuchten Zeit einen Benutzer.',
};
