import type { ReactNode } from 'react';
import type { Messages } from '../en.ts';
import { plural } from '../plural.ts';
import { rich } from '../rich.ts';

const minutes = plural('pt-BR', { one: 'um minuto', other: '# minutos' });

export const signInPages = {
  login: {
    title: 'Entrar',
    to: (client: ReactNode) => rich`para continuar em ${client}`,
    name: 'E-mail ou nome de usuário',
    password: 'Senha',
    showPassword: 'Mostrar a senha',
    remember: 'Manter-me conectado neste dispositivo',
    rememberDetail: 'Oferece sua conta aqui na próxima vez.',
    submit: 'Entrar',
    next: 'Continuar',
    cancel: 'Cancelar',
    or: 'ou',
    notYou: 'Não é você?',
    useAnother: 'Usar outra conta',
    wrong: 'Nome de usuário ou senha incorretos.',
    tooMany: (count: number) => `Muitas tentativas. Tente de novo em ${minutes(count)}.`,
  },
  emailSignIn: {
    send: 'Receber um código por e-mail',
    title: 'Digite o código do e-mail',
    text: 'Se esta conta existe e o endereço de e-mail está confirmado, enviamos um código para ele. O e-mail pode demorar um minuto.',
    usedUp: 'Um código errado foi digitado vezes demais. Envie um novo código.',
    expired: 'Este código expirou. Solicite outro.',
    nameMissing: 'Digite seu e-mail ou nome de usuário.',
    noPassword: 'Deixe em branco para entrar com códigos por e-mail.',
  },
  chooser: {
    title: 'Escolha uma conta',
    forget: (account: string) => `Remover ${account} deste dispositivo`,
  },
  consent: {
    title: (client: string) => `Permitir ${client}?`,
    heading: 'Permitir o acesso?',
    wants: (client: ReactNode) => rich`${client} quer usar sua conta.`,
    wantsForDevice: (client: ReactNode) => rich`${client} quer usar sua conta no dispositivo cujo código você digitou.`,
    publishedBy: (host: ReactNode) => rich`Publicado por ${host}.`,
    returnTo: (receiver: ReactNode) => rich`Você voltará para: ${receiver}.`,
    app: (scheme: string) => `um aplicativo neste dispositivo (${scheme})`,
    thisComputer: (host: string) => `este computador (${host})`,
    localCaution:
      'Este aplicativo é executado no seu computador, onde qualquer programa pode usar o nome dele. ' +
      'Permita o acesso somente se você mesmo começou a entrar.',
    deviceCaution:
      'Permita o acesso somente se o dispositivo for seu e você mesmo tiver começado. ' +
      'Nunca faça isso porque alguém pediu.',
    willAllow: (client: string) => `Isso permitirá que ${client} possa`,
    willShare: (client: string, claims: string) => `${client} também receberá estes dados: ${claims}.`,
    remember: 'Não perguntar de novo',
    allow: 'Permitir o acesso',
    deny: 'Negar',
    privacy: 'Política de privacidade',
    terms: 'Termos de serviço',
  },
  organizations: {
    title: 'Escolha uma organização',
    text: 'Você pertence a mais de uma organização. Em qual delas deseja entrar?',
  },
  scopes: {
    openid: 'Saber quem você é',
    profile: 'Ver seu nome e seu perfil',
    email: 'Ver seu endereço de e-mail',
    address: 'Ver seu endereço postal',
    phone: 'Ver seu número de telefone',
    offline_access: 'Manter o acesso quando você não estiver presente',
    groups: 'Ver os seus grupos',
    roles: 'Ver as suas funções',
    organization: 'Ver a organização em que você entra',
  },
  claims: {
    name: 'nome',
    family_name: 'sobrenome',
    given_name: 'primeiro nome',
    middle_name: 'nome do meio',
    nickname: 'apelido',
    preferred_username: 'nome de usuário',
    profile: 'página de perfil',
    picture: 'foto',
    website: 'site',
    gender: 'gênero',
    birthdate: 'data de nascimento',
    zoneinfo: 'fuso horário',
    locale: 'idioma',
    updated_at: 'data da última alteração',
    email: 'endereço de e-mail',
    email_verified: 'se o e-mail está confirmado',
    address: 'endereço postal',
    phone_number: 'número de telefone',
    phone_number_verified: 'se o telefone está confirmado',
    groups: 'os grupos',
    roles: 'as funções',
  },
  device: {
    title: 'Conectar um dispositivo',
    confirmTitle: 'Este é o código do seu dispositivo?',
    lead: 'Digite o código que o seu dispositivo mostra.',
    confirmLead: 'Compare-o com o código do seu dispositivo antes de continuar.',
    code: 'Código',
    caution:
      'Continue somente se você começou isto no seu próprio dispositivo. Se alguém lhe enviou o código ou o link, ' +
      'feche esta página: essa pessoa teria acesso à sua conta.',
    submit: 'Continuar',
    confirmSubmit: 'Sim, continuar',
    wrong:
      'Nenhum dispositivo tem este código. Os códigos expiram após alguns minutos: confira o código ou peça outro.',
    tooMany:
      'Foram digitados códigos demais. Aguarde um momento e comece de novo no endereço que o seu dispositivo mostra.',
    requestedBy: 'Aplicativo',
    requestedAt: 'Solicitado',
    requestedFrom: 'De',
    notMe: 'Não fui eu',
    notMeTitle: 'Nada foi conectado',
    notMeText:
      'Alguém pode ter enviado o link ou o código para ter acesso à sua conta. Feche esta página e não digite o código em lugar nenhum.',
    connectedTitle: 'Seu dispositivo está conectado',
    connectedText: 'Volte ao seu dispositivo. Você pode fechar esta página.',
  },
  logout: {
    title: 'Sair',
    heading: 'Sair?',
    asks: (client: ReactNode) => rich`${client} solicita que você saia da conta.`,
    endsSession: 'Isto encerra sua sessão neste dispositivo.',
    again: 'Na próxima vez você precisará entrar de novo.',
    submit: 'Sair',
    stay: 'Continuar conectado',
    stayedTitle: 'Você continua conectado',
    stayedText: 'Nada mudou. Você pode fechar esta página.',
  },
  expired: {
    reason: 'Ficou aberto por tempo demais ou já foi concluído.',
    signIn: {
      title: 'Este acesso expirou',
      label: 'Começar de novo',
      withLink: 'Nada deu errado: basta começar de novo.',
      withoutLink: 'Volte ao aplicativo e entre por lá.',
      withoutLinkOnDevice: 'Volte ao seu dispositivo e comece de novo por lá.',
    },
    signOut: {
      title: 'Este pedido de saída expirou',
      label: 'Sair de novo',
      withLink: 'Talvez você ainda esteja conectado: por segurança, saia de novo.',
      withoutLink: 'Talvez você ainda esteja conectado: volte ao aplicativo e saia por lá.',
    },
  },
} satisfies Partial<Messages>;
