import type { ReactNode } from 'react';
import type { Messages } from '../en.ts';
import { plural } from '../plural.ts';
import { rich } from '../rich.ts';

const minutes = plural('de', { one: 'einer Minute', other: '# Minuten' });

export const signInPages = {
  login: {
    title: 'Anmelden',
    to: (client: ReactNode) => rich`um mit ${client} fortzufahren`,
    name: 'E-Mail oder Benutzername',
    password: 'Passwort',
    showPassword: 'Passwort anzeigen',
    remember: 'Auf diesem Gerät angemeldet bleiben',
    rememberDetail: 'Bietet Ihr Konto hier beim nächsten Mal an.',
    submit: 'Anmelden',
    next: 'Weiter',
    cancel: 'Abbrechen',
    or: 'oder',
    notYou: 'Nicht Ihr Konto?',
    useAnother: 'Anderes Konto verwenden',
    wrong: 'Der Benutzername oder das Passwort ist falsch.',
    tooMany: (count: number) => `Zu viele Versuche. Versuchen Sie es in ${minutes(count)} noch einmal.`,
  },
  emailSignIn: {
    send: 'Code per E-Mail senden',
    title: 'Code aus der E-Mail eingeben',
    text: 'Wenn es dieses Konto gibt und seine E-Mail-Adresse bestätigt ist, haben wir einen Code an sie gesendet. Die E-Mail kann eine Minute brauchen.',
    usedUp: 'Es wurde zu oft ein falscher Code eingegeben. Senden Sie einen neuen Code.',
    expired: 'Dieser Code ist abgelaufen. Fordern Sie einen neuen an.',
    nameMissing: 'Geben Sie Ihre E-Mail-Adresse oder Ihren Benutzernamen ein.',
    noPassword: 'Lassen Sie es leer, um sich mit Codes per E-Mail anzumelden.',
  },
  chooser: {
    title: 'Konto auswählen',
    forget: (account: string) => `${account} von diesem Gerät entfernen`,
  },
  consent: {
    title: (client: string) => `Zugriff für ${client} erlauben?`,
    heading: 'Zugriff erlauben?',
    wants: (client: ReactNode) => rich`${client} möchte Ihr Konto verwenden.`,
    wantsForDevice: (client: ReactNode) =>
      rich`${client} möchte Ihr Konto auf dem Gerät verwenden, dessen Code Sie eingegeben haben.`,
    publishedBy: (host: ReactNode) => rich`Veröffentlicht von ${host}.`,
    returnTo: (receiver: ReactNode) => rich`Danach kehren Sie hierhin zurück: ${receiver}.`,
    app: (scheme: string) => `eine App auf diesem Gerät (${scheme})`,
    thisComputer: (host: string) => `dieser Computer (${host})`,
    localCaution:
      'Diese Anwendung läuft auf Ihrem Computer, wo jedes Programm ihren Namen benutzen kann. ' +
      'Erlauben Sie den Zugriff nur, wenn Sie die Anmeldung selbst begonnen haben.',
    deviceCaution:
      'Erlauben Sie den Zugriff nur, wenn es Ihr Gerät ist und Sie selbst begonnen haben. ' +
      'Tun Sie es nie, weil jemand Sie darum bittet.',
    willAllow: (client: string) => `Damit erlauben Sie ${client}:`,
    willShare: (client: string, claims: string) => `Außerdem erhält ${client} diese Angaben: ${claims}.`,
    remember: 'Nicht noch einmal fragen',
    allow: 'Zugriff erlauben',
    deny: 'Ablehnen',
    privacy: 'Datenschutzerklärung',
    terms: 'Nutzungsbedingungen',
  },
  organizations: {
    title: 'Organisation auswählen',
    text: 'Sie gehören zu mehreren Organisationen. Für welche möchten Sie sich anmelden?',
  },
  scopes: {
    openid: 'Wissen, wer Sie sind',
    profile: 'Ihren Namen und Ihr Profil sehen',
    email: 'Ihre E-Mail-Adresse sehen',
    address: 'Ihre Postanschrift sehen',
    phone: 'Ihre Telefonnummer sehen',
    offline_access: 'Zugriff behalten, wenn Sie nicht da sind',
    groups: 'Ihre Gruppen sehen',
    roles: 'Ihre Rollen sehen',
    organization: 'Ihre Organisation bei dieser Anmeldung sehen',
  },
  claims: {
    name: 'Name',
    family_name: 'Nachname',
    given_name: 'Vorname',
    middle_name: 'zweiter Vorname',
    nickname: 'Spitzname',
    preferred_username: 'Benutzername',
    profile: 'Profilseite',
    picture: 'Bild',
    website: 'Website',
    gender: 'Geschlecht',
    birthdate: 'Geburtsdatum',
    zoneinfo: 'Zeitzone',
    locale: 'Sprache',
    updated_at: 'Datum der letzten Änderung',
    email: 'E-Mail-Adresse',
    email_verified: 'ob die E-Mail-Adresse bestätigt ist',
    address: 'Postanschrift',
    phone_number: 'Telefonnummer',
    phone_number_verified: 'ob die Telefonnummer bestätigt ist',
    groups: 'Gruppen',
    roles: 'Rollen',
  },
  device: {
    title: 'Gerät verbinden',
    confirmTitle: 'Zeigt Ihr Gerät diesen Code an?',
    lead: 'Geben Sie den Code ein, den Ihr Gerät anzeigt.',
    confirmLead: 'Vergleichen Sie ihn mit dem Code auf Ihrem Gerät, bevor Sie fortfahren.',
    code: 'Code',
    caution:
      'Fahren Sie nur fort, wenn Sie selbst auf Ihrem eigenen Gerät begonnen haben. Hat Ihnen jemand den Code oder den ' +
      'Link geschickt, schließen Sie diese Seite: Diese Person würde Zugriff auf Ihr Konto erhalten.',
    submit: 'Weiter',
    confirmSubmit: 'Ja, weiter',
    wrong:
      'Kein Gerät hat diesen Code. Codes laufen nach wenigen Minuten ab: Prüfen Sie den Code, oder fordern Sie einen neuen an.',
    tooMany:
      'Es wurden zu viele Codes eingegeben. Warten Sie einen Moment, und beginnen Sie neu unter der Adresse, ' +
      'die Ihr Gerät anzeigt.',
    requestedBy: 'Anwendung',
    requestedAt: 'Angefordert',
    requestedFrom: 'Von',
    notMe: 'Das war ich nicht',
    notMeTitle: 'Es wurde nichts verbunden',
    notMeText:
      'Vielleicht hat Ihnen jemand den Link oder den Code geschickt, um Zugriff auf Ihr Konto zu bekommen. Schließen Sie diese Seite und geben Sie den Code nirgends ein.',
    connectedTitle: 'Ihr Gerät ist verbunden',
    connectedText: 'Kehren Sie zu Ihrem Gerät zurück. Sie können diese Seite schließen.',
  },
  logout: {
    title: 'Abmelden',
    heading: 'Abmelden?',
    asks: (client: ReactNode) => rich`${client} möchte Sie abmelden.`,
    endsSession: 'Das beendet Ihre Sitzung auf diesem Gerät.',
    again: 'Beim nächsten Mal müssen Sie sich wieder anmelden.',
    submit: 'Abmelden',
    stay: 'Angemeldet bleiben',
    stayedTitle: 'Sie sind weiterhin angemeldet',
    stayedText: 'Nichts wurde geändert. Sie können diese Seite schließen.',
  },
  expired: {
    reason: 'Sie war zu lange offen oder ist schon abgeschlossen.',
    signIn: {
      title: 'Diese Anmeldung ist abgelaufen',
      label: 'Neu beginnen',
      withLink: 'Es ist nichts schiefgegangen: Beginnen Sie einfach neu.',
      withoutLink: 'Gehen Sie zur Anwendung zurück und melden Sie sich dort an.',
      withoutLinkOnDevice: 'Gehen Sie zu Ihrem Gerät zurück und beginnen Sie dort neu.',
    },
    signOut: {
      title: 'Diese Abmeldung ist abgelaufen',
      label: 'Noch einmal abmelden',
      withLink: 'Vielleicht sind Sie noch angemeldet: Melden Sie sich sicherheitshalber noch einmal ab.',
      withoutLink: 'Vielleicht sind Sie noch angemeldet: Gehen Sie zur Anwendung zurück und melden Sie sich dort ab.',
    },
  },
} satisfies Partial<Messages>;
