import type { ReactNode } from 'react';
import { rich } from '../rich.ts';
import type { ProviderPages } from './en.ts';

export const providerPages: ProviderPages = {
  providers: {
    continueWith: (label: string) => `Continuar com ${label}`,
    oneMoreStep: 'Só mais uma etapa',
    postAgain: 'Continue para concluir o login.',
    otherWay: 'Entrar de outra forma',
    deniedTitle: 'Você não entrou',
    denied: (label: ReactNode) => rich`O login com ${label} foi cancelado ou recusado.`,
    failedTitle: 'Não foi possível entrar',
    failed: (label: ReactNode) =>
      rich`O login com ${label} falhou. Tente novamente em alguns instantes ou entre de outra forma.`,
    unknownTitle: 'Você não tem uma conta aqui',
    unknown: (label: ReactNode) =>
      rich`A conta de ${label} que você usou não está vinculada a nenhuma conta deste site. Use outra ou fale com o responsável pelo site.`,
    firstTime: (label: ReactNode) =>
      rich`Este é o seu primeiro login com ${label}. Uma conta será criada com estes dados.`,
    link: (label: ReactNode) => rich`Já existe uma conta com este endereço. Entre para vinculá-la a ${label}.`,
    section: 'Provedores de login',
    sectionText: 'Contas de outros serviços com as quais você entra aqui.',
    connect: (label: string) => `Vincular ${label}`,
    connectText: (label: ReactNode) => rich`Você vai entrar em ${label}. Depois disso, poderá usá-lo para entrar aqui.`,
    connected: (date: string) => `Vinculada em ${date}`,
    notConnectedTitle: 'Nada foi vinculado',
    notConnected: 'Essa conta talvez já esteja vinculada a outro usuário, ou o login demorou demais. Tente novamente.',
    notConnectedDenied: 'O login no provedor foi cancelado ou recusado.',
    notConnectedFailed:
      'O provedor não responde, ou a resposta dele não é válida. Tente novamente em alguns instantes.',
    lastWayTitle: 'Esta é a sua única forma de entrar',
    lastWay: 'Adicione primeiro outra forma de entrar. Depois você poderá remover esta.',
  },
};
