import type { ClientImportMessages } from './en.ts';

export const de: ClientImportMessages = {
  title: 'Clients importieren',
  about:
    'Laden Sie Clients als JSON hoch: einen Client, eine Liste oder einen Client je Zeile. Exporte von Hydra und anderen Servern werden angenommen, auch mit Hashes anstelle von Secrets.',
  file: 'Datei',
  fileHint: 'Höchstens {size} und {clients} Clients.',
  lenient: 'Angaben weglassen, die der Server ablehnt',
  lenientHint:
    'Sonst wird der Client abgelehnt. In beiden Fällen entfällt client_credentials bei einem Client, der sich nicht authentifiziert. Das Ergebnis nennt jede Angabe, die weggelassen wurde.',
  check: 'Datei prüfen',
  checking: 'Prüfung der Datei',
  checkHint:
    'Die Prüfung findet falsche Werte und IDs, die es schon gibt. Der Server hat weitere Regeln, die er bei der Registrierung anwendet.',
  submit: 'Import starten',
  importing: 'Import von Clients',
  stay: 'Lassen Sie diese Seite offen, bis das Ergebnis erscheint. Wenn Sie sie verlassen, endet der Import. Bis dahin registrierte Clients bleiben, und ein weiterer Import der Datei fährt mit den übrigen fort.',
  stop: 'Abbrechen',
  progress: 'Fortschritt',
  step: '{done} von {all}',
  result: 'Ergebnis',
  outcomes: {
    ready: 'Kann importiert werden',
    created: 'Angelegt',
    existing: 'Gibt es schon, nicht geändert',
    refused: 'Abgelehnt',
    skipped: 'Nicht versucht',
  },
  secret: 'Client-Secret: {secret}',
  newSecrets:
    'Clients ohne Secret in der Datei: {count}. Der Import erzeugt für sie neue Secrets, und ihre Apps funktionieren nicht mehr, bis Sie sie dort ändern. Ein zweiter Import ändert kein Secret. Um die Secrets zu behalten, brechen Sie hier ab und exportieren Sie die Hashes: siehe die Anleitung „Coming from Ory Hydra“, Schritt 5. Sonst kopieren Sie jedes neue Secret aus dem Ergebnis: Es wird nur einmal angezeigt.',
  needsSecret: 'Die Datei hat kein Secret für ihn: Der Import erzeugt ein neues.',
  secretsOnce: 'Kopieren Sie die Secrets oben jetzt: Sie werden nicht noch einmal angezeigt.',
  nothing: 'Es gibt nichts zu importieren.',
  top: 'Zum Seitenanfang',
  repeated: 'Die Datei enthält vor diesem schon einen Client mit dieser ID.',
  noId: 'Er hat keine client_id: Er erhält bei jedem Import eine neue.',
  again: 'Andere Datei',
  problems: {
    notJson: 'Die Datei ist kein gültiges JSON.',
    notJsonLine: 'Zeile {line} der Datei ist kein gültiges JSON.',
    notObjects: 'Jeder Client der Datei muss ein JSON-Objekt sein.',
    notUtf8: 'Die Datei ist nicht in UTF-8. Speichern Sie die Datei als UTF-8.',
    onePage:
      'Die Datei enthält eine Seite einer längeren Liste (is_last_page ist false, oder next_page_token ist gesetzt). Exportieren Sie alle Seiten.',
    empty: 'Die Datei enthält keinen Client.',
    tooMany: 'Die Datei enthält {count} Clients. Höchstens {most} werden auf einmal importiert: Teilen Sie die Datei.',
    running: 'Ein anderer Import läuft. Warten Sie auf sein Ergebnis, oder brechen Sie ihn ab.',
  },
};
