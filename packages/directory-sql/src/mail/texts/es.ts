import type { MailTexts } from './mail-texts.ts';

export const es: MailTexts = {
  direction: 'ltr',
  confirmAddress: {
    subject: 'Confirma tu dirección de correo para {product}',
    introduction: 'Confirma esta dirección de correo para crear tu cuenta en {product}.',
    action: 'Confirmar la dirección de correo',
    note: 'El enlace es válido durante {duration} y se puede usar una sola vez. Si no te has registrado, ignora este correo: no se creará ninguna cuenta.',
  },
  resetPassword: {
    subject: 'Establece una nueva contraseña para {product}',
    introduction: 'Has solicitado una nueva contraseña para la cuenta {name} en {product}.',
    action: 'Establecer una nueva contraseña',
    note: 'El enlace es válido durante {duration} y se puede usar una sola vez. Si no lo has solicitado, ignora este correo: tu contraseña no cambia.',
  },
  alreadyRegistered: {
    subject: 'Ya tienes una cuenta en {product}',
    introduction: 'Se ha solicitado un registro en {product} con esta dirección de correo, que ya tiene una cuenta.',
    note: 'Si has sido tú, inicia sesión o elige «¿Has olvidado tu contraseña?» en la página de inicio de sesión. Si no, ignora este correo: nada ha cambiado.',
  },
  confirmNewAddress: {
    subject: 'Confirma tu nueva dirección de correo para {product}',
    introduction: 'Has pedido usar esta dirección de correo para tu cuenta en {product}.',
    action: 'Confirmar la dirección de correo',
    note: 'El enlace es válido durante {duration} y se puede usar una sola vez, en el navegador en el que lo pediste. Si no lo has pedido, ignora este correo: nada cambia.',
  },
  addressTaken: {
    subject: 'Tu dirección de correo ya tiene una cuenta en {product}',
    introduction: 'Un usuario de {product} ha pedido usar esta dirección de correo, que ya pertenece a otra cuenta.',
    note: 'Si has sido tú, inicia sesión con esta dirección o elige otra. Si no, ignora este correo: nada ha cambiado.',
  },
  emailChangeRequested: {
    subject: 'Se ha pedido una nueva dirección de correo para tu cuenta de {product}',
    introduction:
      'Se ha pedido una nueva dirección de correo para tu cuenta {name} en {product}. Sustituirá a esta cuando se confirme.',
    note: 'Si no la has pedido tú, cambia ahora tu contraseña: la nueva dirección ya no se podrá confirmar.',
  },
  emailChanged: {
    subject: 'La dirección de correo de tu cuenta de {product} se ha cambiado',
    introduction:
      'La dirección de correo {name} de tu cuenta en {product} se ha sustituido por otra. A partir de ahora inicias sesión con la nueva.',
    note: 'Si no la has cambiado tú, avisa ahora a los administradores de {product}.',
  },
  passwordChanged: {
    subject: 'Tu contraseña de {product} se ha cambiado',
    introduction: 'La contraseña de tu cuenta {name} en {product} se ha cambiado.',
    note: 'Si no la has cambiado tú, elige ahora «¿Has olvidado tu contraseña?» en la página de inicio de sesión para establecer una nueva.',
    noteWithoutRecovery: 'Si no la has cambiado tú, avisa ahora a los administradores de {product}.',
  },
  factorAdded: {
    subject: 'Se ha añadido un método de inicio de sesión a tu cuenta de {product}',
    introduction: 'Se ha añadido este método de inicio de sesión a tu cuenta {name} en {product}: {factor}.',
    note: 'Si no lo has añadido tú, cambia ahora tu contraseña y quita el método en la página de tu cuenta.',
  },
  factorRemoved: {
    subject: 'Se ha quitado un método de inicio de sesión de tu cuenta de {product}',
    introduction: 'Se ha quitado este método de inicio de sesión de tu cuenta {name} en {product}: {factor}.',
    note: 'Si no lo has quitado tú, cambia ahora tu contraseña y revisa los métodos en la página de tu cuenta.',
  },
  factorsReset: {
    subject: 'Se han quitado tus segundos factores de {product}',
    introduction:
      'Un administrador ha quitado todos los segundos factores y las llaves de acceso de tu cuenta {name} en {product}.',
    note: 'Si no lo has pedido tú, cambia ahora tu contraseña y avisa a los administradores de {product}.',
  },
  factors: {
    totp: 'aplicación de autenticación',
    hotp: 'dispositivo de códigos',
    pin: 'PIN',
    recovery_code: 'códigos de recuperación nuevos',
    passkey: 'llave de acceso',
  },
};
