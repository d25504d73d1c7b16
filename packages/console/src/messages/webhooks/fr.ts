import type { WebhookMessages } from './en.ts';

export const fr: WebhookMessages = {
  caption: 'Webhooks',
  columns: {
    name: 'Nom',
    state: 'État',
    types: 'Types',
    retries: "En attente d'un nouvel essai",
    failed: 'Échoués',
    handled: "Traité jusqu'à",
  },
  states: {
    active: 'actif',
    paused: 'en pause : le récepteur a demandé une pause',
    stalled: 'bloqué : 100 événements attendent, et un par minute est essayé',
    gone: 'désactivé : le récepteur a répondu 410',
  },
  allTypes: 'tous sauf les requêtes refusées',
  never: "aucun processus n'a commencé à envoyer",
  behind: '{duration} de retard',
  noWebhooks: "Aucun webhook n'est configuré : events.webhooks.",
  failed: 'Événements définitivement échoués',
  failedHint: "Les 1 000 derniers, les plus récents d'abord.",
  failedColumns: {
    event: 'Événement',
    at: 'Échoué',
    attempts: 'Essais',
    reason: 'Raison',
  },
  noFailed: "Aucun événement n'a échoué.",
  retry: 'Réessayer les événements échoués',
  retryHint:
    'Tous les événements échoués et en attente sont essayés maintenant. Un webhook désactivé reçoit de nouveau des événements.',
  retried: 'Le processus qui envoie les événements les essaie de nouveau.',
  test: 'Envoyer un événement de test',
  testHint: 'Envoie un événement du type webhook.test, et montre le résultat.',
  result: 'Résultat du test',
  results: {
    delivered: "Le récepteur a accepté l'événement.",
    failed: "Le récepteur n'a pas accepté l'événement.",
    gone: 'Le récepteur a répondu 410.',
    aborted: 'Le test a été interrompu.',
  },
  reason: 'Raison',
  back: 'Retour au webhook',
};
