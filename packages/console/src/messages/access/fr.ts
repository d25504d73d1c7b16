import type { AccessMessages } from './en.ts';

export const fr: AccessMessages = {
  ended: 'Votre session est terminée',
  endedForm: 'Rien n’a été modifié. Connectez-vous et renvoyez le formulaire.',
  signIn: 'Se connecter',
  signOut: 'Se déconnecter',
  noAccess: 'Accès refusé',
  withoutRole:
    'Vous êtes connecté, mais vous n’avez aucun rôle dans cette console. Demandez l’accès à un administrateur.',
  failed: 'La connexion a échoué',
  otherBrowser: 'La connexion a pris trop de temps, ou elle a été commencée dans un autre navigateur ou onglet.',
  refused: 'La connexion n’a pas abouti. Le journal du serveur contient les détails.',
  signedOut: 'Vous êtes déconnecté',
  signedOutText:
    'Vous êtes déconnecté de la console. Les applications et la page de connexion peuvent encore se souvenir de vous.',
  signOutEverywhere: 'Se déconnecter là aussi',
};
