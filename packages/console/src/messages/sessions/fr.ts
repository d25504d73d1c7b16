import type { SessionMessages } from './en.ts';

export const fr: SessionMessages = {
  subject: "Sujet d'un utilisateur",
  client: 'Id du client',
  hint: "Saisissez l'un des deux. La page des utilisateurs trouve le sujet par l'identifiant.",
  sessions: 'Sessions',
  consents: 'Consentements',
  ofUser: 'Sessions de {subject}',
  consentsOfUser: 'Consentements de {subject}',
  showSessions: 'Afficher les sessions',
  showConsents: 'Afficher les consentements',
  sessionColumns: {
    since: 'Connecté',
    place: 'Navigateur',
    clients: 'Clients',
    level: 'Authentification',
    until: "Jusqu'à",
    change: 'Modification',
  },
  consentColumns: {
    client: 'Client',
    scopes: 'Scopes',
    audience: 'Audience',
    since: 'Accordé',
    remembered: 'Mémorisé',
    change: 'Modification',
  },
  forever: "jusqu'à révocation",
  end: 'Terminer la session',
  endAll: 'Terminer toutes les sessions',
  endAllWarning:
    "Toutes les sessions de l'utilisateur se terminent, et les clients sont informés. Les jetons restent valides : la page de l'utilisateur les révoque aussi.",
  revoke: 'Révoquer',
  revokeAll: 'Révoquer tous les consentements',
  revokeAllWarning: "Tous les consentements de l'utilisateur sont révoqués, avec les jetons qui en dépendent.",
  noSessions: "L'utilisateur n'a pas de session mémorisée.",
  noConsents: "L'utilisateur n'a pas de consentement.",
  ofClient: 'Utilisateurs du client {client}',
  clientHint:
    "Les sessions sont enregistrées par utilisateur. Ces utilisateurs se sont connectés au client ou ont reçu des jetons, d'après les événements conservés.",
  clientColumns: {
    user: 'Utilisateur',
    last: 'Dernier événement',
    type: 'Type',
    show: 'Afficher',
  },
  noUsers: 'Aucun événement de ce client ne nomme un utilisateur dans la période parcourue.',
};
