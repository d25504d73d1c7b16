import type { UserMessages } from './en.ts';

export const de: UserMessages = {
  find: 'Anmeldename, Name oder Subject',
  findHint:
    'Der Anfang eines Anmeldenamens oder Namens, oder ein ganzes Subject. Bei anderen Verzeichnissen: der ganze Anmeldename.',
  state: 'Status',
  anyState: 'jeder Status',
  states: { active: 'aktiv', disabled: 'deaktiviert', locked: 'gesperrt' },
  columns: { user: 'Benutzer', logins: 'Anmeldenamen', directory: 'Verzeichnis', state: 'Status', created: 'Erstellt' },
  caption: 'Benutzer',
  onlyByName:
    'Es ist kein Verzeichnis der Art sql konfiguriert: Geben Sie den ganzen Anmeldenamen oder das Subject ein.',
  subject: 'Subject',
  externalId: 'Externe Id',
  hasPassword: 'Passwort',
  updated: 'Geändert',
  deletedOn: 'Wird gelöscht am',
  groups: 'Gruppen',
  claims: 'Claims',
  noClaims: 'Der Benutzer hat keine Claims.',
  factors: 'Zweite Faktoren',
  noFactors: 'Der Benutzer hat keine zweiten Faktoren.',
  factorColumns: {
    kind: 'Art',
    label: 'Bezeichnung',
    added: 'Hinzugefügt',
    used: 'Zuletzt verwendet',
    left: 'Übrige Codes',
  },
  identities: 'Identitäten bei Anbietern',
  noIdentities: 'Keine Identität ist verknüpft.',
  identityColumns: { provider: 'Anbieter', shown: 'Angezeigt als', linked: 'Verknüpft', change: 'Änderung' },
  sessions: 'Sitzungen',
  consents: 'Einwilligungen',
  events: 'Ereignisse dieses Benutzers',
  changes: 'Änderungen',
  readOnly: 'Dieses Verzeichnis wird nur gelesen: Ändern Sie den Benutzer dort.',
  enable: 'Aktivieren',
  unlock: 'Entsperren',
  unlockHint: 'Vergisst Fehlversuche, und macht einen gesperrten Benutzer aktiv.',
  invite: 'Einladung senden',
  recover: 'E-Mail zur Wiederherstellung senden',
  sent: 'Die E-Mail ist unterwegs.',
  endSessions: 'Alle Sitzungen beenden',
  endSessionsWarning:
    'Alle Sitzungen enden, und alle Tokens werden widerrufen. Der Benutzer kann sich wieder anmelden.',
  disable: 'Deaktivieren',
  ownUser: 'Dies ist Ihr eigener Benutzer: Sie verlieren den Zugang zu dieser Konsole.',
  disableWarning:
    'Der Benutzer kann sich nicht mehr anmelden. Alle Sitzungen enden, und alle Tokens werden widerrufen.',
  resetFactors: 'Alle zweiten Faktoren entfernen',
  resetFactorsWarning:
    'Der Benutzer meldet sich nur mit dem Passwort an, oder muss wieder einen Faktor hinzufügen. Eine E-Mail informiert den Benutzer.',
  unlink: 'Entfernen',
  unlinkWarning:
    'Der Benutzer kann sich mit dieser Identität nicht mehr anmelden. Eine E-Mail informiert den Benutzer.',
  remove: 'Benutzer löschen',
  removeWarning:
    'Der Benutzer wird mit allen Daten gelöscht, und alle Tokens werden widerrufen. Das lässt sich nicht rückgängig machen.',
  typeLogin: 'Geben Sie den Anmeldenamen des Benutzers ein: {login}',
  notTyped: 'Der eingegebene Anmeldename ist nicht der des Benutzers. Nichts wurde gelöscht.',
  back: 'Zurück zum Benutzer',
};
