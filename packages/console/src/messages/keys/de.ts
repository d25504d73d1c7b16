import type { KeysMessages } from './en.ts';

export const de: KeysMessages = {
  title: 'Schlüssel',
  signing: 'Schlüssel, die Token signieren',
  columns: {
    kid: 'Schlüssel-ID',
    alg: 'Algorithmus',
    state: 'Zustand',
    place: 'Gespeichert in',
    age: 'Alter',
    since: 'Signiert ab',
    until: 'Zustand endet',
    use: 'Verwendung',
    type: 'Typ',
    private: 'Privater Teil',
    remove: 'Entfernen',
  },
  states: {
    announced: 'veröffentlicht, signiert später',
    active: 'signiert',
    retired: 'ausgelaufen, prüft noch',
    gone: 'wird gelöscht',
    published: 'veröffentlicht, signiert nicht',
  },
  places: {
    file: 'Datei der Konfiguration',
    store: 'Speicher, verschlüsselt',
    external: 'Dienst',
    unknown: 'hier nicht bekannt',
  },
  unknown: 'nicht bekannt',
  fromFile:
    'Die Schlüssel stehen in einer Datei oder in der Konfiguration. Ändern Sie sie dort: Erzeugen Sie einen Schlüssel mit „carnet keys generate“, setzen Sie ihn hinter den jetzigen, starten Sie neu, warten Sie einen Tag, setzen Sie ihn an die erste Stelle, und starten Sie neu.',
  external:
    'Ein Dienst hält die Schlüssel. Legen Sie dort eine neue Version des Schlüssels an: Carnet kündigt sie an. Damit sie bald signiert, führen Sie „carnet keys rotate --now“ aus.',
  schedule: 'Zeitplan',
  announced: 'Ein neuer Schlüssel ist veröffentlicht, bevor er signiert',
  activeFor: 'Ein Schlüssel signiert',
  retiredFor: 'Ein ausgelaufener Schlüssel bleibt veröffentlicht',
  warnings: {
    old: 'Der Schlüssel {kid} ({alg}) signiert seit {age}. Erneuern Sie ihn.',
    overdue:
      'Der Schlüssel {kid} ({alg}) sollte inzwischen einen Nachfolger haben. Den Grund nennt das Protokoll des Servers.',
  },
  rotate: 'Jetzt rotieren',
  rotateWarning:
    'Ein neuer Schlüssel wird erzeugt. Er signiert, sobald alle Prozesse ihn kennen, nach etwa zwei Minuten. Der jetzige Schlüssel läuft aus, seine Token bleiben gültig.',
  algorithm: 'Algorithmus',
  changed:
    'Die Schlüssel haben sich geändert, seit diese Seite geladen wurde. Sehen Sie sie an, und versuchen Sie es erneut.',
  import: 'Schlüssel importieren',
  importWarning: 'In der Menge, die Token signiert, ist der Schlüssel der nächste, der signiert.',
  addWarning: 'Programme, die diese Menge lesen, verwenden den Schlüssel, sobald sie ihn finden.',
  jwk: 'Privater Schlüssel (JWK)',
  notJson: 'Der Schlüssel ist kein JSON-Objekt mit einer kid.',
  kid: 'Schlüssel-ID',
  kidHint: 'Leer: eine zufällige.',
  remove: 'Diesen Schlüssel entfernen',
  removeWarning:
    'Signaturen dieses Schlüssels lassen sich nicht mehr prüfen, und was für ihn verschlüsselt wurde, lässt sich nicht mehr lesen.',
  done: {
    rotate: 'Der neue Schlüssel ist erzeugt.',
    add: 'Der Schlüssel ist gespeichert.',
    remove: 'Der Schlüssel ist entfernt.',
  },
  others: 'Andere Schlüsselmengen',
  set: 'Name der Menge',
  setHint: 'Mengen werden über ihre Namen gefunden. Die Admin-API hat keine Liste von ihnen.',
  setTitle: 'Menge {set}',
  empty: 'Diese Menge hat keine Schlüssel.',
  generate: 'Schlüssel erzeugen',
  algorithmHint: 'Etwa ES256, RS256, EdDSA, RSA-OAEP-256 oder HS256.',
  uses: { sig: 'Signaturen', enc: 'Verschlüsselung' },
};
