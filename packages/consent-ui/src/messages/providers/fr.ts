import type { ReactNode } from 'react';
import { rich } from '../rich.ts';
import type { ProviderPages } from './en.ts';

export const providerPages: ProviderPages = {
  providers: {
    continueWith: (label: string) => `Continuer avec ${label}`,
    oneMoreStep: 'Encore une étape',
    postAgain: 'Continuez pour terminer votre connexion.',
    otherWay: 'Se connecter autrement',
    deniedTitle: 'Vous n’êtes pas connecté',
    denied: (label: ReactNode) => rich`La connexion avec ${label} a été annulée ou refusée.`,
    failedTitle: 'La connexion a échoué',
    failed: (label: ReactNode) =>
      rich`La connexion avec ${label} n’a pas fonctionné. Réessayez dans un instant ou connectez-vous autrement.`,
    unknownTitle: 'Vous n’avez pas de compte ici',
    unknown: (label: ReactNode) =>
      rich`Le compte que vous avez utilisé chez ${label} n’est associé à aucun compte ici. Utilisez-en un autre ou contactez l’exploitant de ce site.`,
    firstTime: (label: ReactNode) =>
      rich`Vous vous connectez avec ${label} pour la première fois. Un compte va être créé avec ces informations.`,
    link: (label: ReactNode) =>
      rich`Un compte existe déjà avec cette adresse. Connectez-vous pour y associer ${label}.`,
    section: 'Services de connexion',
    sectionText: 'Les comptes d’autres services avec lesquels vous vous connectez ici.',
    connect: (label: string) => `Associer ${label}`,
    connectText: (label: ReactNode) =>
      rich`Vous allez vous connecter chez ${label}. Vous pourrez ensuite vous en servir pour vous connecter ici.`,
    connected: (date: string) => `Associé le ${date}`,
    notConnectedTitle: 'Rien n’a été associé',
    notConnected:
      'Ce compte est peut-être déjà associé à un autre utilisateur, ou la connexion a pris trop de temps. Réessayez.',
    notConnectedDenied: 'La connexion auprès du service a été annulée ou refusée.',
    notConnectedFailed: 'Le service ne répond pas, ou sa réponse n’est pas valide. Réessayez dans un instant.',
    lastWayTitle: 'C’est votre seul moyen de connexion',
    lastWay: 'Ajoutez d’abord un autre moyen de connexion. Vous pourrez ensuite retirer celui-ci.',
  },
};
