import type { EventMessages } from './en.ts';

export const fr: EventMessages = {
  subject: "Sujet d'un utilisateur",
  client: 'Id du client',
  request: 'Id de requête',
  requestHint: "L'id d'une page d'erreur, ou l'en-tête X-Request-Id.",
  type: 'Type',
  typeHint: 'Un type comme user.created, ou user.*',
  since: 'À partir de (UTC)',
  until: 'Avant (UTC)',
  caption: "Événements, les plus récents d'abord",
  columns: {
    time: 'Heure',
    type: 'Type',
    result: 'Résultat',
    user: 'Utilisateur',
    client: 'Client',
    request: 'Requête',
    details: 'Détails',
  },
  success: 'succès',
  denied: 'refusé',
  live: 'Suivre en direct',
  past: 'Afficher les événements passés',
  liveTitle: 'Événements en direct',
  liveHint: 'Les nouveaux événements apparaissent en haut en quelques secondes.',
  liveWithout: 'Sans JavaScript, cette page se recharge toutes les dix secondes.',
  connected: 'Connecté.',
  lost: 'La connexion est perdue. Nouvel essai.',
  searched: "Recherche jusqu'à",
  refusalsHint:
    'Pour les requêtes refusées, chaque processus conserve 2 événements par seconde et par type. Le journal les contient tous.',
};
