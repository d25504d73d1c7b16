import type { ClientImportMessages } from './en.ts';

export const de: ClientImportMessages = {
  title: 'Clients importieren',
  about:
    'Laden Sie Clients als JSON hoch: einen Client, eine Liste oder einen Client je Zeile. Exporte von Hydra und anderen Servern werden angenommen, auch mit Hashes anstelle von Secrets.',
  file: 'Datei',
  fileHint: 'Höchstens {size} und {clients} Clients.',
  lenient: 'Angaben weglassen, die der Server ablehnt',
  lenientHint: 'Sonst wird der ganze Client abgelehnt. Das Ergebnis nennt jede Angabe, die weggelassen wurde.',
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
  repeated: 'Die Datei enthält vor diesem schon einen Client mit dieser ID.',
  noId: 'Er hat keine client_id: Er erhält bei jedem Import eine neue.',
  again: 'Andere Datei',
  problems: {
    notJson: 'Die Datei ist kein gültiges JSON.',
    notJsonLine: 'Zeile {line} der Datei ist kein gültiges JSON.',
    notObjects: 'Jeder Client der Datei muss ein JSON-Objekt sein.',
    empty: 'Die Datei enthält keinen Client.',
    tooMany: 'Die Datei enthält {count} Clients. Höchstens {most} werden auf einmal importiert: Teilen Sie die Datei.',
    running: 'Ein anderer Import läuft. Warten Sie auf sein Ergebnis, oder brechen Sie ihn ab.',
  },
};
