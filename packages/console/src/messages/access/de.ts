import type { AccessMessages } from './en.ts';

export const de: AccessMessages = {
  ended: 'Ihre Sitzung ist beendet',
  endedForm: 'Es wurde nichts geändert. Melden Sie sich an, und senden Sie das Formular noch einmal.',
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  noAccess: 'Kein Zugang',
  withoutRole:
    'Sie sind angemeldet, haben aber keine Rolle in dieser Konsole. Bitten Sie einen Administrator um Zugang.',
  failed: 'Die Anmeldung ist fehlgeschlagen',
  otherBrowser: 'Die Anmeldung hat zu lange gedauert, oder sie wurde in einem anderen Browser oder Tab begonnen.',
  refused: 'Die Anmeldung wurde nicht abgeschlossen. Die Einzelheiten stehen im Protokoll des Servers.',
  signedOut: 'Sie sind abgemeldet',
  signedOutText: 'Sie sind von der Konsole abgemeldet. Anwendungen und die Anmeldeseite kennen Sie vielleicht noch.',
  signOutEverywhere: 'Auch dort abmelden',
};
