import type { Messages } from '../en.ts';

export const sitePages = {
  language: { label: 'Idioma', change: 'Alterar' },
  help: 'Ajuda',
  home: {
    title: 'Nada a fazer aqui',
    text: 'Os aplicativos direcionam você a este site para entrar. Abra o aplicativo que quer usar e entre por lá.',
  },
  error: {
    title: 'A solicitação falhou',
    home: 'Início',
    account: 'Sua conta',
    requestId: 'Solicitação',
    code: 'Erro',
    reported: 'Motivo informado',
    unknown: 'Não foi possível concluir a solicitação. Volte ao aplicativo e tente de novo.',
    codes: {
      access_denied: 'O acesso foi negado.',
      invalid_request: 'O aplicativo enviou uma solicitação inválida.',
      invalid_client: 'Este serviço não conhece o aplicativo.',
      invalid_scope: 'O aplicativo pediu um acesso que não pode pedir.',
      invalid_redirect_uri: 'O aplicativo pediu um redirecionamento para um endereço que não registrou.',
      unauthorized_client: 'Este aplicativo não pode usar esta forma de entrar.',
      unsupported_response_type: 'Este aplicativo não pode usar esta forma de entrar.',
      login_required: 'Você precisa entrar primeiro.',
      consent_required: 'Você precisa permitir o acesso primeiro.',
      request_forbidden: 'Este acesso começou em outro navegador, ou os cookies foram bloqueados.',
      temporarily_unavailable: 'O serviço está ocupado. Tente de novo em instantes.',
      server_error: 'O serviço teve um erro interno.',
    },
  },
  retry: 'Tentar de novo',
  problems: {
    missing_challenge: {
      title: 'Este link não é válido',
      text: 'Ele pode estar incompleto. Volte ao aplicativo e entre por lá.',
    },
    invalid_link: {
      title: 'Este link não é válido',
      text: 'Ele pode estar incompleto ou ter sido aberto em outro navegador. Volte ao aplicativo e entre por lá.',
    },
    forged_form: {
      title: 'Este formulário está desatualizado',
      text: 'A página expirou ou os cookies estão bloqueados. Recarregue e tente de novo.',
    },
    invalid_form: {
      title: 'Não foi possível ler este formulário',
      text: 'Um campo faltava, estava repetido ou era longo demais. Abra o formulário de novo.',
    },
    api_unavailable: {
      title: 'Não é possível entrar agora',
      text: 'O serviço não responde. Aguarde um momento e tente de novo.',
    },
    api_refused: {
      title: 'Não foi possível entrar',
      text: 'O serviço não aceitou a resposta desta página. Se acontecer de novo, fale com o responsável por este site.',
    },
    foreign_redirect: {
      title: 'Você não entrou',
      text: 'O próximo passo levava a um site desconhecido. Por segurança, você não foi direcionado para lá.',
    },
    directory_unavailable: {
      title: 'Não é possível entrar agora',
      text: 'Não conseguimos verificar sua conta. Aguarde um momento e tente de novo.',
    },
    server_error: { title: 'Algo deu errado', text: 'A culpa não é sua. Tente de novo.' },
  },
} satisfies Partial<Messages>;
