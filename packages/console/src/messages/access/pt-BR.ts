import type { AccessMessages } from './en.ts';

export const ptBR: AccessMessages = {
  ended: 'Sua sessão terminou',
  endedForm: 'Nada foi alterado. Entre e envie o formulário novamente.',
  signIn: 'Entrar',
  signOut: 'Sair',
  noAccess: 'Sem acesso',
  withoutRole: 'Você entrou, mas não tem nenhum papel neste console. Peça acesso a um administrador.',
  failed: 'Falha ao entrar',
  otherBrowser: 'A entrada demorou demais, ou foi iniciada em outro navegador ou aba.',
  refused: 'A entrada não foi concluída. O registro do servidor contém os detalhes.',
  signedOut: 'Você saiu',
  signedOutText: 'Você saiu do console. Os aplicativos e a página de entrada ainda podem lembrar de você.',
  signOutEverywhere: 'Sair também de lá',
};
