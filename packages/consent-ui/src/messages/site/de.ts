import type { Messages } from '../en.ts';

export const sitePages = {
  language: { label: 'Sprache', change: 'Ändern' },
  help: 'Hilfe',
  home: {
    title: 'Hier gibt es nichts zu tun',
    text: 'Anwendungen leiten Sie zum Anmelden hierher. Öffnen Sie die Anwendung, die Sie nutzen möchten, und melden Sie sich dort an.',
  },
  error: {
    title: 'Die Anfrage ist fehlgeschlagen',
    home: 'Startseite',
    account: 'Ihr Konto',
    requestId: 'Anfrage',
    code: 'Fehler',
    reported: 'Gemeldeter Grund',
    unknown:
      'Die Anfrage konnte nicht abgeschlossen werden. Gehen Sie zur Anwendung zurück und versuchen Sie es erneut.',
    codes: {
      access_denied: 'Der Zugriff wurde abgelehnt.',
      invalid_request: 'Die Anwendung hat eine ungültige Anfrage gesendet.',
      invalid_client: 'Dieser Dienst kennt die Anwendung nicht.',
      invalid_scope: 'Die Anwendung hat einen Zugriff angefordert, den sie nicht anfordern darf.',
      invalid_redirect_uri:
        'Die Anwendung hat eine Weiterleitung an eine Adresse angefordert, die sie nicht registriert hat.',
      unauthorized_client: 'Diese Anwendung darf diese Art der Anmeldung nicht verwenden.',
      unsupported_response_type: 'Diese Anwendung darf diese Art der Anmeldung nicht verwenden.',
      login_required: 'Sie müssen sich zuerst anmelden.',
      consent_required: 'Sie müssen den Zugriff zuerst erlauben.',
      request_forbidden: 'Diese Anmeldung begann in einem anderen Browser, oder ihre Cookies wurden blockiert.',
      temporarily_unavailable: 'Der Dienst ist ausgelastet. Versuchen Sie es gleich noch einmal.',
      server_error: 'Im Dienst ist ein interner Fehler aufgetreten.',
    },
  },
  retry: 'Noch einmal versuchen',
  problems: {
    missing_challenge: {
      title: 'Dieser Link ist ungültig',
      text: 'Vielleicht ist er unvollständig. Gehen Sie zur Anwendung zurück und melden Sie sich dort an.',
    },
    invalid_link: {
      title: 'Dieser Link ist ungültig',
      text: 'Vielleicht ist er unvollständig oder wurde in einem anderen Browser geöffnet. Gehen Sie zur Anwendung zurück und melden Sie sich dort an.',
    },
    forged_form: {
      title: 'Dieses Formular ist veraltet',
      text: 'Die Seite ist abgelaufen, oder Cookies sind blockiert. Laden Sie sie neu und versuchen Sie es noch einmal.',
    },
    invalid_form: {
      title: 'Dieses Formular war nicht lesbar',
      text: 'Ein Feld fehlte, kam doppelt vor oder war zu lang. Öffnen Sie das Formular neu.',
    },
    api_unavailable: {
      title: 'Die Anmeldung ist gerade nicht möglich',
      text: 'Der Dienst antwortet nicht. Warten Sie einen Moment und versuchen Sie es noch einmal.',
    },
    api_refused: {
      title: 'Die Anmeldung ist fehlgeschlagen',
      text: 'Der Dienst hat die Antwort dieser Seite nicht angenommen. Wenn das wieder geschieht, wenden Sie sich an den Betreiber dieser Website.',
    },
    foreign_redirect: {
      title: 'Sie wurden nicht angemeldet',
      text: 'Der nächste Schritt führte zu einer unbekannten Website. Zur Sicherheit wurden Sie nicht dorthin geleitet.',
    },
    directory_unavailable: {
      title: 'Die Anmeldung ist gerade nicht möglich',
      text: 'Ihr Konto konnte nicht geprüft werden. Warten Sie einen Moment und versuchen Sie es noch einmal.',
    },
    server_error: {
      title: 'Etwas ist schiefgegangen',
      text: 'Das liegt nicht an Ihnen. Versuchen Sie es noch einmal.',
    },
  },
} satisfies Partial<Messages>;
