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
  invitation: {
    subject: 'Sua conta em {product}',
    introduction: 'Uma conta foi criada para você em {product}: {name}. Escolha uma senha para entrar.',
    action: 'Escolher uma senha',
    note: 'O link é válido por {duration} e pode ser usado uma vez. Se você não conhece {product}, ignore este e-mail.',
  },
  signInCode: {
    subject: 'Seu código para {product}',
    introduction: 'Digite este código para entrar em {product} como {name}:',
    note: 'O código é válido por {duration} e pode ser usado uma vez. Não o informe a ninguém. Se você não está entrando, outra pessoa sabe a sua senha: altere-a agora.',
  },
  emailSignInCode: {
    subject: 'Seu código para {product}',
    introduction: 'Digite este código para entrar em {product} como {name}:',
    note: 'O código é válido por {duration} e pode ser usado uma vez, no navegador em que você o solicitou. Não o informe a ninguém. Se você não o solicitou, ignore este e-mail: sem o código, ninguém pode entrar.',
  },
  alreadyRegistered: {
    subject: 'Você já tem uma conta em {product}',
    introduction: 'Um cadastro em {product} foi solicitado para este endereço de e-mail, que já tem uma conta.',
    note: 'Se foi você, entre ou escolha “Esqueceu a senha?” na página de entrada. Caso contrário, ignore este e-mail: nada mudou.',
  },
  confirmNewAddress: {
    subject: 'Confirme seu novo e-mail para {product}',
    introduction: 'Você pediu para usar este endereço de e-mail na sua conta em {product}.',
    action: 'Confirmar o e-mail',
    note: 'O link é válido por {duration} e pode ser usado uma única vez, no navegador em que você o pediu. Se você não o pediu, ignore este e-mail: nada muda.',
  },
  addressTaken: {
    subject: 'Seu e-mail já tem uma conta em {product}',
    introduction: 'Um usuário de {product} pediu para usar este endereço de e-mail, que já pertence a outra conta.',
    note: 'Se foi você, entre com este endereço ou escolha outro. Caso contrário, ignore este e-mail: nada mudou.',
  },
  emailChangeRequested: {
    subject: 'Um novo e-mail foi pedido para a sua conta de {product}',
    introduction:
      'Um novo endereço de e-mail foi pedido para a sua conta {name} em {product}. Ele substituirá este quando for confirmado.',
    note: 'Se você não o pediu, altere sua senha agora: o novo endereço não poderá mais ser confirmado.',
  },
  emailChanged: {
    subject: 'O e-mail da sua conta de {product} foi alterado',
    introduction:
      'O e-mail {name} da sua conta em {product} foi substituído por outro. A partir de agora, você entra com o novo.',
    note: 'Se você não o alterou, avise agora os administradores de {product}.',
  },
  passwordChanged: {
    subject: 'Sua senha de {product} foi alterada',
    introduction: 'A senha da sua conta {name} em {product} foi alterada.',
    note: 'Se você não a alterou, escolha agora “Esqueceu a senha?” na página de entrada para definir uma nova.',
    noteWithoutRecovery: 'Se você não a alterou, avise agora os administradores de {product}.',
  },
  factorAdded: {
    subject: 'Um método de entrada foi adicionado à sua conta de {product}',
    introduction: 'Este método de entrada foi adicionado à sua conta {name} em {product}: {factor}.',
    note: 'Se você não o adicionou, altere sua senha agora e remova o método na página da sua conta.',
  },
  factorRemoved: {
    subject: 'Um método de entrada foi removido da sua conta de {product}',
    introduction: 'Este método de entrada foi removido da sua conta {name} em {product}: {factor}.',
    note: 'Se você não o removeu, altere sua senha agora e confira os métodos na página da sua conta.',
  },
  factorsReset: {
    subject: 'Seus segundos fatores de {product} foram removidos',
    introduction:
      'Todos os segundos fatores e chaves de acesso da sua conta {name} em {product} foram removidos por um administrador.',
    note: 'Se você não pediu isso, altere sua senha agora e avise os administradores de {product}.',
  },
  deletionRequested: {
    subject: 'Sua conta de {product} será excluída',
    introduction:
      'A exclusão da sua conta {name} em {product} foi pedida. Ela será excluída em {date}, com todos os dados. Você saiu de todos os lugares.',
    note: 'Para manter a conta, entre antes desse dia. Se você não pediu a exclusão, mantenha a conta e altere sua senha.',
  },
  factors: {
    totp: 'aplicativo autenticador',
    hotp: 'token de códigos',
    pin: 'PIN',
    recovery_code: 'novos códigos de recuperação',
    passkey: 'chave de acesso',
    email: 'código por e-mail',
  },
};
