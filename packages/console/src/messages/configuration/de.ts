import type { ConfigurationMessages } from './en.ts';

export const de: ConfigurationMessages = {
  title: 'Konfiguration',
  about:
    'Die Werte, die dieser Prozess verwendet, mit der Herkunft jedes Werts. Secrets sind ersetzt. Prozesse lesen die Konfiguration beim Start.',
  search: 'Schlüssel, Wert oder Beschreibung',
  only: 'Anzeigen',
  all: 'alle Schlüssel',
  set: 'gesetzte Schlüssel',
  columns: { key: 'Schlüssel', value: 'Wert', source: 'Herkunft', description: 'Beschreibung' },
  sources: { default: 'Vorgabe', file: 'Datei', 'development mode': 'Entwicklungsmodus' },
  notHere:
    'Nur die Konsole von „carnet serve“ zeigt die Konfiguration. Führen Sie „carnet config print“ neben dem Server aus.',
  unset: 'nicht gesetzt',
  warnings: 'Warnungen und Probleme',
  noWarnings: 'Es gibt keine.',
  examine: {
    title: 'Was würde eine Änderung brauchen?',
    about: 'Fügen Sie eine Konfiguration ein oder Zeilen wie „ttl.accessToken: 1h“. Es wird nichts geändert.',
    text: 'Konfiguration (YAML oder JSON)',
    scope: 'Der Text ist',
    scopes: { keys: 'eine Ergänzung der jetzigen Datei', whole: 'die ganze Datei' },
    submit: 'Prüfen',
    problems: 'Probleme',
    noProblems: 'Die Konfiguration würde angenommen.',
    changes: 'Änderungen',
    noChanges: 'Kein Wert würde sich ändern.',
    before: 'Jetziger Wert',
    after: 'Neuer Wert',
    needs: 'Braucht',
    restart: 'einen Neustart aller Prozesse, einen nach dem anderen',
  },
  concerns: {
    issuer:
      'einen gleichzeitigen Neustart aller Prozesse und eine Änderung jedes Clients: Sie vergleichen den Issuer, und Token des jetzigen werden nicht mehr angenommen',
    secrets:
      'einen Neustart aller Prozesse. Setzen Sie ein neues Secret vor das jetzige, und behalten Sie das jetzige: Es öffnet, was damit verschlüsselt ist',
    store: 'einen gleichzeitigen Neustart aller Prozesse. Die Daten bleiben, wo sie sind: Kopieren Sie sie vorher',
    keys: 'einen Neustart aller Prozesse. Veröffentlichen Sie neue Schlüssel, bevor sie signieren: siehe die Seite über Schlüssel',
    subjects:
      'einen Neustart aller Prozesse. Die Subjects der Benutzer können sich ändern, sodass Clients ihre Benutzer nicht mehr finden',
    listener: 'einen Neustart aller Prozesse und eine Änderung des Proxys davor',
  },
};
