import type { MailTexts } from './mail-texts.ts';

export const ptBr: MailTexts = {
  direction: 'ltr',
  confirmAddress: {
    subject: 'Confirme seu e-mail para {product}',
    introduction: 'Confirme este endereço de e-mail para criar sua conta em {product}.',
    action: 'Confirmar o e-mail',
    note: 'O link é válido por {duration} e pode ser usado uma única vez. Se você não se cadastrou, ignore este e-mail: nenhuma conta será criada.',
  },
  resetPassword: {
    subject: 'Defina uma nova senha para {product}',
    introduction: 'Você solicitou uma nova senha para a conta {name} em {product}.',
    action: 'Definir uma nova senha',
    note: 'O link é válido por {duration} e pode ser usado uma única vez. Se você não o solicitou, ignore este e-mail: sua senha não muda.',
  },
  alreadyRegistered: {
    subject: 'Você já tem uma conta em {product}',
    introduction: 'Um cadastro em {product} foi solicitado para este endereço de e-mail, que já tem uma conta.',
    note: 'Se foi você, entre ou escolha “Esqueceu a senha?” na página de entrada. Caso contrário, ignore este e-mail: nada mudou.',
  },
  passwordChanged: {
    subject: 'Sua senha de {product} foi alterada',
    introduction: 'A senha da sua conta {name} em {product} foi alterada.',
    note: 'Se você não a alterou, escolha agora “Esqueceu a senha?” na página de entrada para definir uma nova.',
  },
};
