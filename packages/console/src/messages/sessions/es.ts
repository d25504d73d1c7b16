import type { SessionMessages } from './en.ts';

export const es: SessionMessages = {
  subject: 'Sujeto de un usuario',
  client: 'Id del cliente',
  hint: 'Introduzca uno de los dos. La página de usuarios encuentra el sujeto por el nombre de acceso.',
  sessions: 'Sesiones',
  consents: 'Consentimientos',
  ofUser: 'Sesiones de {subject}',
  consentsOfUser: 'Consentimientos de {subject}',
  showSessions: 'Mostrar las sesiones',
  showConsents: 'Mostrar los consentimientos',
  sessionColumns: {
    since: 'Inicio de sesión',
    place: 'Navegador',
    clients: 'Clientes',
    level: 'Autenticación',
    until: 'Hasta',
    change: 'Cambio',
  },
  consentColumns: {
    client: 'Cliente',
    scopes: 'Scopes',
    audience: 'Audience',
    since: 'Concedido',
    remembered: 'Recordado',
    change: 'Cambio',
  },
  forever: 'hasta su revocación',
  end: 'Cerrar la sesión',
  endAll: 'Cerrar todas las sesiones',
  endAllWarning:
    'Se cierran todas las sesiones del usuario y se notifica a los clientes. Los tokens siguen siendo válidos: la página del usuario también los revoca.',
  revoke: 'Revocar',
  revokeAll: 'Revocar todos los consentimientos',
  revokeAllWarning: 'Se revocan todos los consentimientos del usuario, con los tokens que dependen de ellos.',
  noSessions: 'El usuario no tiene sesiones recordadas.',
  noConsents: 'El usuario no tiene consentimientos.',
  ofClient: 'Usuarios del cliente {client}',
  clientHint:
    'Las sesiones se guardan por usuario. Estos usuarios han iniciado sesión en el cliente o han recibido tokens, según los eventos conservados.',
  clientColumns: {
    user: 'Usuario',
    last: 'Último evento',
    type: 'Tipo',
    show: 'Mostrar',
  },
  noUsers: 'Ningún evento de este cliente nombra a un usuario en el tiempo buscado.',
};
