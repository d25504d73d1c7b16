import type { EventMessages } from './en.ts';

export const es: EventMessages = {
  subject: 'Sujeto de un usuario',
  client: 'Id del cliente',
  request: 'Id de la petición',
  requestHint: 'El id de una página de error, o la cabecera X-Request-Id.',
  type: 'Tipo',
  typeHint: 'Un tipo como user.created, o user.*',
  since: 'Desde (UTC)',
  until: 'Antes de (UTC)',
  caption: 'Eventos, los más recientes primero',
  columns: {
    time: 'Hora',
    type: 'Tipo',
    result: 'Resultado',
    user: 'Usuario',
    client: 'Cliente',
    request: 'Petición',
    details: 'Detalles',
  },
  success: 'éxito',
  denied: 'rechazado',
  live: 'Ver en directo',
  past: 'Mostrar eventos pasados',
  liveTitle: 'Eventos en directo',
  liveHint: 'Los eventos nuevos aparecen arriba en segundos.',
  liveWithout: 'Sin JavaScript, esta página se recarga cada diez segundos.',
  connected: 'Conectado.',
  lost: 'Se perdió la conexión. Nuevo intento.',
  searched: 'Buscado hasta',
  refusalsHint:
    'De las peticiones rechazadas, cada proceso conserva 2 eventos por segundo y tipo. El registro los tiene todos.',
};
