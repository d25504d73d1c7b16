import type { ReactNode } from 'react';
import { rich } from '../rich.ts';
import type { ProviderPages } from './en.ts';

export const providerPages: ProviderPages = {
  providers: {
    continueWith: (label: string) => `Weiter mit ${label}`,
    oneMoreStep: 'Noch ein Schritt',
    postAgain: 'Fahren Sie fort, um die Anmeldung abzuschließen.',
    otherWay: 'Anders anmelden',
    deniedTitle: 'Sie sind nicht angemeldet',
    denied: (label: ReactNode) => rich`Die Anmeldung mit ${label} wurde abgebrochen oder abgelehnt.`,
    failedTitle: 'Die Anmeldung ist fehlgeschlagen',
    failed: (label: ReactNode) =>
      rich`Die Anmeldung mit ${label} hat nicht funktioniert. Versuchen Sie es gleich noch einmal, oder melden Sie sich anders an.`,
    unknownTitle: 'Sie haben hier kein Konto',
    unknown: (label: ReactNode) =>
      rich`Das Konto, das Sie bei ${label} verwendet haben, ist hier mit keinem Konto verbunden. Verwenden Sie ein anderes, oder wenden Sie sich an den Betreiber dieser Website.`,
    firstTime: (label: ReactNode) =>
      rich`Sie melden sich zum ersten Mal mit ${label} an. Dafür wird ein Konto mit diesen Angaben erstellt.`,
    link: (label: ReactNode) =>
      rich`Ein Konto mit dieser Adresse gibt es schon. Melden Sie sich an, um es mit ${label} zu verbinden.`,
    section: 'Anmeldedienste',
    sectionText: 'Konten bei anderen Diensten, mit denen Sie sich hier anmelden.',
    connect: (label: string) => `${label} verbinden`,
    connectText: (label: ReactNode) =>
      rich`Sie melden sich bei ${label} an. Danach können Sie sich damit auch hier anmelden.`,
    connected: (date: string) => `Verbunden am ${date}`,
    notConnectedTitle: 'Es wurde nichts verbunden',
    notConnected:
      'Dieses Konto ist vielleicht schon mit einem anderen Benutzer verbunden, oder die Anmeldung hat zu lange gedauert. Versuchen Sie es noch einmal.',
    notConnectedDenied: 'Die Anmeldung beim Dienst wurde abgebrochen oder abgelehnt.',
    notConnectedFailed:
      'Der Dienst antwortet nicht, oder seine Antwort ist ungültig. Versuchen Sie es gleich noch einmal.',
    lastWayTitle: 'Anders können Sie sich nicht anmelden',
    lastWay: 'Fügen Sie zuerst eine andere Anmeldemethode hinzu. Dann können Sie diese entfernen.',
  },
};
