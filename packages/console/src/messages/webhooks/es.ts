import type { WebhookMessages } from './en.ts';

export const es: WebhookMessages = {
  caption: 'Webhooks',
  columns: {
    name: 'Nombre',
    state: 'Estado',
    types: 'Tipos',
    retries: 'A la espera de otro intento',
    failed: 'Fallidos',
    handled: 'Tratado hasta',
  },
  states: {
    active: 'activo',
    paused: 'en pausa: el receptor ha pedido una pausa',
    stalled: 'atascado: esperan 100 eventos y se prueba uno por minuto',
    gone: 'desactivado: el receptor ha respondido 410',
  },
  allTypes: 'todos salvo las peticiones rechazadas',
  never: 'ningún proceso ha empezado a enviar',
  behind: '{duration} de retraso',
  noWebhooks: 'No hay webhooks configurados: events.webhooks.',
  failed: 'Eventos que han fallado definitivamente',
  failedHint: 'Los últimos 1.000, los más recientes primero.',
  failedColumns: {
    event: 'Evento',
    at: 'Fallido',
    attempts: 'Intentos',
    reason: 'Motivo',
  },
  noFailed: 'No ha fallado ningún evento.',
  retry: 'Reintentar los eventos fallidos',
  retryHint:
    'Todos los eventos fallidos y en espera se prueban ahora. Un webhook desactivado vuelve a recibir eventos.',
  retried: 'El proceso que envía los eventos los prueba de nuevo.',
  test: 'Enviar un evento de prueba',
  testHint: 'Envía un evento del tipo webhook.test y muestra el resultado.',
  result: 'Resultado de la prueba',
  results: {
    delivered: 'El receptor ha aceptado el evento.',
    failed: 'El receptor no ha aceptado el evento.',
    gone: 'El receptor ha respondido 410.',
    aborted: 'La prueba se ha interrumpido.',
  },
  reason: 'Motivo',
  back: 'Volver al webhook',
};
