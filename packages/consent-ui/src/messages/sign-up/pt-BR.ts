import type { ReactNode } from 'react';
import { rich } from '../rich.ts';
import type { SignUpPages } from './en.ts';

export const signUpPages: SignUpPages = {
  signUp: {
    title: 'Criar uma conta',
    email: 'E-mail',
    name: 'Nome',
    nameHint: 'Opcional',
    password: 'Senha',
    submit: 'Criar a conta',
    haveAccount: 'Já tem uma conta?',
    accept: 'Aceito os termos de serviço.',
    notAccepted: 'Aceite os termos de serviço para criar uma conta.',
    signIn: 'Entrar',
    invalidEmail: 'Digite um endereço de e-mail, por exemplo nome@example.com.',
    sentTitle: 'Confira o seu e-mail',
    sent: (email: ReactNode) =>
      rich`Enviamos uma mensagem para ${email}. Abra o link dela para confirmar o seu endereço.`,
    sentHint: 'Pode levar um minuto. Veja também a pasta de spam.',
    resend: 'Reenviar a mensagem',
    wrongAddress: 'Endereço errado?',
    confirmTitle: 'Confirme o seu e-mail',
    confirmText: 'Crie a sua conta com este endereço.',
    confirmPasswordText: 'Crie a sua conta com este endereço e escolha a senha.',
    confirm: 'Confirmar o endereço',
    confirmedTitle: 'A sua conta está pronta',
    confirmed: (name: ReactNode) => rich`O seu endereço está confirmado, ${name}. Agora você pode entrar.`,
    registeredTitle: 'Você já tem uma conta',
    registered: 'Entre com a sua senha. Se a esqueceu, escolha uma nova.',
  },
  recovery: {
    title: 'Esqueceu a senha?',
    text: 'Digite o seu e-mail. Enviaremos um link para escolher uma nova senha.',
    login: 'E-mail',
    submit: 'Enviar o link',
    back: 'Voltar para o acesso',
    sentTitle: 'Confira o seu e-mail',
    sent: (login: ReactNode) => rich`Se houver uma conta para ${login}, enviamos uma mensagem com um link.`,
    passwordTitle: 'Escolha uma nova senha',
    password: 'Nova senha',
    save: 'Salvar a senha',
    doneTitle: 'A sua senha foi alterada',
    done: 'Agora você pode entrar com a nova senha.',
    forgot: 'Esqueceu a senha?',
    another: 'Pedir outro link',
  },
  invitation: {
    title: 'Boas-vindas',
    text: 'Sua conta está quase pronta. Escolha uma senha para entrar.',
    invalid:
      'Ele já foi usado, é muito antigo ou um mais recente foi enviado. Peça outro convite ao responsável por este site.',
  },
  links: {
    invalidTitle: 'Este link não funciona mais',
    invalid: 'Ele já foi usado, ou é antigo demais.',
    limited: 'Muitas tentativas. Espere alguns minutos e tente de novo.',
    offTitle: 'Esta página não está disponível',
    off: 'Peça uma conta ou uma nova senha ao operador deste site.',
    continue: 'Continuar para entrar',
  },
};
