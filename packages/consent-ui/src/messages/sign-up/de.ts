import type { ReactNode } from 'react';
import { rich } from '../rich.ts';
import type { SignUpPages } from './en.ts';

export const signUpPages: SignUpPages = {
  signUp: {
    title: 'Konto erstellen',
    email: 'E-Mail',
    name: 'Name',
    nameHint: 'Optional',
    password: 'Passwort',
    submit: 'Konto erstellen',
    haveAccount: 'Haben Sie schon ein Konto?',
    accept: 'Ich akzeptiere die Nutzungsbedingungen.',
    notAccepted: 'Akzeptieren Sie die Nutzungsbedingungen, um ein Konto zu erstellen.',
    signIn: 'Anmelden',
    invalidEmail: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
    sentTitle: 'Prüfen Sie Ihre E-Mails',
    sent: (email: ReactNode) =>
      rich`Wir haben eine Nachricht an ${email} gesendet. Öffnen Sie den Link darin, um Ihre Adresse zu bestätigen.`,
    sentHint: 'Das kann eine Minute dauern. Sehen Sie auch im Spam-Ordner nach.',
    resend: 'Nachricht erneut senden',
    wrongAddress: 'Falsche Adresse?',
    confirmTitle: 'E-Mail-Adresse bestätigen',
    confirmText: 'Erstellen Sie Ihr Konto mit dieser Adresse.',
    confirmPasswordText: 'Erstellen Sie Ihr Konto mit dieser Adresse, und wählen Sie sein Passwort.',
    confirm: 'Adresse bestätigen',
    confirmedTitle: 'Ihr Konto ist bereit',
    confirmed: (name: ReactNode) => rich`Ihre Adresse ist bestätigt, ${name}. Sie können sich jetzt anmelden.`,
    registeredTitle: 'Sie haben schon ein Konto',
    registered: 'Melden Sie sich mit Ihrem Passwort an. Wenn Sie es vergessen haben, wählen Sie ein neues.',
  },
  recovery: {
    title: 'Passwort vergessen?',
    text: 'Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Link für ein neues Passwort.',
    login: 'E-Mail',
    submit: 'Link senden',
    back: 'Zurück zur Anmeldung',
    sentTitle: 'Prüfen Sie Ihre E-Mails',
    sent: (login: ReactNode) =>
      rich`Wenn es ein Konto für ${login} gibt, haben wir eine Nachricht mit einem Link gesendet.`,
    passwordTitle: 'Neues Passwort wählen',
    password: 'Neues Passwort',
    save: 'Passwort speichern',
    doneTitle: 'Ihr Passwort wurde geändert',
    done: 'Sie können sich jetzt mit dem neuen Passwort anmelden.',
    forgot: 'Passwort vergessen?',
    another: 'Neuen Link anfordern',
  },
  invitation: {
    title: 'Willkommen',
    text: 'Ihr Konto ist fast bereit. Wählen Sie ein Passwort, um sich anzumelden.',
    invalid:
      'Er wurde schon verwendet, ist zu alt, oder es wurde ein neuerer gesendet. Bitten Sie den Betreiber dieser Website um eine neue Einladung.',
  },
  links: {
    invalidTitle: 'Dieser Link ist nicht mehr gültig',
    invalid: 'Er wurde schon verwendet oder ist zu alt.',
    limited: 'Zu viele Versuche. Warten Sie ein paar Minuten und versuchen Sie es dann noch einmal.',
    offTitle: 'Diese Seite ist nicht verfügbar',
    off: 'Wenden Sie sich für ein Konto oder ein neues Passwort an den Betreiber dieser Website.',
    continue: 'Weiter zur Anmeldung',
  },
};
