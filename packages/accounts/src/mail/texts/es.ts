import type { MailTexts } from './mail-texts.ts';

export const es: MailTexts = {
  direction: 'ltr',
  confirmAddress: {
    subject: 'Confirme su dirección de correo para {product}',
    introduction: 'Confirme esta dirección de correo para crear su cuenta en {product}.',
    action: 'Confirmar la dirección de correo',
    note: 'El enlace es válido durante {duration} y se puede usar una sola vez. Si no se ha registrado, ignore este correo: no se creará ninguna cuenta.',
  },
  resetPassword: {
    subject: 'Establezca una nueva contraseña para {product}',
    introduction: 'Ha solicitado una nueva contraseña para la cuenta {name} en {product}.',
    action: 'Establecer una nueva contraseña',
    note: 'El enlace es válido durante {duration} y se puede usar una sola vez. Si no lo ha solicitado, ignore este correo: su contraseña no cambia.',
  },
  invitation: {
    subject: 'Su cuenta de {product}',
    introduction: 'Se ha creado una cuenta para usted en {product}: {name}. Elija una contraseña para iniciar sesión.',
    action: 'Elegir una contraseña',
    note: 'El enlace es válido durante {duration} y se puede usar una sola vez. Si no conoce {product}, ignore este correo.',
  },
  signInCode: {
    subject: 'Su código para {product}',
    introduction: 'Introduzca este código para iniciar sesión en {product} como {name}:',
    note: 'El código es válido durante {duration} y se puede usar una sola vez. No se lo dé a nadie. Si no está iniciando sesión, otra persona conoce su contraseña: cámbiela ahora.',
  },
  emailSignInCode: {
    subject: 'Su código para {product}',
    introduction: 'Introduzca este código para iniciar sesión en {product} como {name}:',
    note: 'El código es válido durante {duration} y se puede usar una sola vez, en el navegador en el que lo solicitó. No se lo dé a nadie. Si no lo ha solicitado, ignore este correo: sin el código, nadie puede iniciar sesión.',
  },
  alreadyRegistered: {
    subject: 'Ya tiene una cuenta en {product}',
    introduction: 'Se ha solicitado un registro en {product} con esta dirección de correo, que ya tiene una cuenta.',
    note: 'Si ha sido usted, inicie sesión o elija «¿Olvidó su contraseña?» en la página de inicio de sesión. Si no, ignore este correo: nada ha cambiado.',
  },
  confirmNewAddress: {
    subject: 'Confirme su nueva dirección de correo para {product}',
    introduction: 'Ha pedido usar esta dirección de correo para su cuenta en {product}.',
    action: 'Confirmar la dirección de correo',
    note: 'El enlace es válido durante {duration} y se puede usar una sola vez, en el navegador en el que lo pidió. Si no lo ha pedido, ignore este correo: nada cambia.',
  },
  addressTaken: {
    subject: 'Su dirección de correo ya tiene una cuenta en {product}',
    introduction: 'Un usuario de {product} ha pedido usar esta dirección de correo, que ya pertenece a otra cuenta.',
    note: 'Si ha sido usted, inicie sesión con esta dirección o elija otra. Si no, ignore este correo: nada ha cambiado.',
  },
  emailChangeRequested: {
    subject: 'Se ha pedido una nueva dirección de correo para su cuenta de {product}',
    introduction:
      'Se ha pedido una nueva dirección de correo para su cuenta {name} en {product}. Sustituirá a esta cuando se confirme.',
    note: 'Si no la ha pedido usted, cambie ahora su contraseña: la nueva dirección ya no se podrá confirmar.',
  },
  emailChanged: {
    subject: 'La dirección de correo de su cuenta de {product} se ha cambiado',
    introduction:
      'La dirección de correo {name} de su cuenta en {product} se ha sustituido por otra. A partir de ahora inicie sesión con la nueva.',
    note: 'Si no la ha cambiado usted, avise ahora a los administradores de {product}.',
  },
  passwordChanged: {
    subject: 'Su contraseña de {product} se ha cambiado',
    introduction: 'La contraseña de su cuenta {name} en {product} se ha cambiado.',
    note: 'Si no la ha cambiado usted, elija ahora «¿Olvidó su contraseña?» en la página de inicio de sesión para establecer una nueva.',
    noteWithoutRecovery: 'Si no la ha cambiado usted, avise ahora a los administradores de {product}.',
  },
  factorAdded: {
    subject: 'Se ha añadido un método de inicio de sesión a su cuenta de {product}',
    introduction: 'Se ha añadido este método de inicio de sesión a su cuenta {name} en {product}: {factor}.',
    note: 'Si no lo ha añadido usted, cambie ahora su contraseña y quite el método en la página de su cuenta.',
  },
  factorRemoved: {
    subject: 'Se ha quitado un método de inicio de sesión de su cuenta de {product}',
    introduction: 'Se ha quitado este método de inicio de sesión de su cuenta {name} en {product}: {factor}.',
    note: 'Si no lo ha quitado usted, cambie ahora su contraseña y revise los métodos en la página de su cuenta.',
  },
  factorsReset: {
    subject: 'Se han quitado sus segundos factores de {product}',
    introduction:
      'Un administrador ha quitado todos los segundos factores y las llaves de acceso de su cuenta {name} en {product}.',
    note: 'Si no lo ha pedido usted, cambie ahora su contraseña y avise a los administradores de {product}.',
  },
  deletionRequested: {
    subject: 'Su cuenta de {product} se va a eliminar',
    introduction:
      'Se ha pedido la eliminación de su cuenta {name} en {product}. Se eliminará el {date}, con todos sus datos. Se han cerrado todas sus sesiones.',
    note: 'Para conservar la cuenta, inicie sesión antes de ese día. Si no ha pedido la eliminación, conserve la cuenta y cambie su contraseña.',
  },
  factors: {
    totp: 'aplicación de autenticación',
    hotp: 'dispositivo de códigos',
    pin: 'PIN',
    recovery_code: 'códigos de recuperación nuevos',
    passkey: 'llave de acceso',
    email: 'código por correo electrónico',
  },
};
