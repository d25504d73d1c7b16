import type { SessionMessages } from './en.ts';

export const ptBR: SessionMessages = {
  subject: 'Sujeito de um usuário',
  client: 'Id do cliente',
  hint: 'Digite um dos dois. A página de usuários encontra o sujeito pelo nome de login.',
  sessions: 'Sessões',
  consents: 'Consentimentos',
  ofUser: 'Sessões de {subject}',
  consentsOfUser: 'Consentimentos de {subject}',
  showSessions: 'Mostrar as sessões',
  showConsents: 'Mostrar os consentimentos',
  sessionColumns: {
    since: 'Entrou',
    place: 'Navegador',
    clients: 'Clientes',
    level: 'Autenticação',
    until: 'Até',
    change: 'Alteração',
  },
  consentColumns: {
    client: 'Cliente',
    scopes: 'Scopes',
    audience: 'Audience',
    since: 'Concedido',
    remembered: 'Lembrado',
    change: 'Alteração',
  },
  forever: 'até ser revogado',
  end: 'Encerrar a sessão',
  endAll: 'Encerrar todas as sessões',
  endAllWarning:
    'Todas as sessões do usuário terminam e os clientes são avisados. Os tokens continuam válidos: a página do usuário também os revoga.',
  revoke: 'Revogar',
  revokeAll: 'Revogar todos os consentimentos',
  revokeAllWarning: 'Todos os consentimentos do usuário são revogados, com os tokens que dependem deles.',
  noSessions: 'O usuário não tem sessões lembradas.',
  noConsents: 'O usuário não tem consentimentos.',
  ofClient: 'Usuários do cliente {client}',
  clientHint:
    'As sessões são armazenadas por usuário. Estes usuários entraram no cliente ou receberam tokens, segundo os eventos mantidos.',
  clientColumns: {
    user: 'Usuário',
    last: 'Último evento',
    type: 'Tipo',
    show: 'Mostrar',
  },
  noUsers: 'Nenhum evento deste cliente nomeia um usuário no período pesquisado.',
};
