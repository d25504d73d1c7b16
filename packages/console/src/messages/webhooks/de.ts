import type { WebhookMessages } from './en.ts';

export const de: WebhookMessages = {
  caption: 'Webhooks',
  columns: {
    name: 'Name',
    state: 'Status',
    types: 'Typen',
    retries: 'Warten auf einen weiteren Versuch',
    failed: 'Fehlgeschlagen',
    handled: 'Bearbeitet bis',
  },
  states: {
    active: 'aktiv',
    paused: 'pausiert: Der Empfänger hat um eine Pause gebeten',
    stalled: 'stockt: 100 Ereignisse warten, und eines je Minute wird versucht',
    gone: 'abgeschaltet: Der Empfänger hat mit 410 geantwortet',
  },
  allTypes: 'alle außer abgelehnten Anfragen',
  never: 'kein Prozess hat mit dem Senden begonnen',
  behind: '{duration} im Rückstand',
  noWebhooks: 'Es sind keine Webhooks konfiguriert: events.webhooks.',
  failed: 'Endgültig fehlgeschlagene Ereignisse',
  failedHint: 'Die letzten 1.000, neueste zuerst.',
  failedColumns: {
    event: 'Ereignis',
    at: 'Fehlgeschlagen',
    attempts: 'Versuche',
    reason: 'Grund',
  },
  noFailed: 'Kein Ereignis ist fehlgeschlagen.',
  retry: 'Fehlgeschlagene Ereignisse erneut versuchen',
  retryHint:
    'Alle fehlgeschlagenen und wartenden Ereignisse werden jetzt versucht. Ein abgeschalteter Webhook bekommt wieder Ereignisse.',
  retried: 'Der Prozess, der die Ereignisse sendet, versucht sie erneut.',
  test: 'Testereignis senden',
  testHint: 'Sendet ein Ereignis des Typs webhook.test, und zeigt das Ergebnis.',
  result: 'Ergebnis des Tests',
  results: {
    delivered: 'Der Empfänger hat das Ereignis angenommen.',
    failed: 'Der Empfänger hat das Ereignis nicht angenommen.',
    gone: 'Der Empfänger hat mit 410 geantwortet.',
    aborted: 'Der Test wurde abgebrochen.',
  },
  reason: 'Grund',
  back: 'Zurück zum Webhook',
};
