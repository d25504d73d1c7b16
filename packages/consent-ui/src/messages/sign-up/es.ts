import type { ReactNode } from 'react';
import { rich } from '../rich.ts';
import type { SignUpPages } from './en.ts';

export const signUpPages: SignUpPages = {
  signUp: {
    title: 'Crear una cuenta',
    email: 'Correo electrónico',
    name: 'Nombre',
    nameHint: 'Opcional',
    password: 'Contraseña',
    submit: 'Crear la cuenta',
    haveAccount: '¿Ya tiene una cuenta?',
    accept: 'Acepto las condiciones del servicio.',
    notAccepted: 'Acepte las condiciones del servicio para crear una cuenta.',
    signIn: 'Iniciar sesión',
    invalidEmail: 'Escriba una dirección de correo, por ejemplo nombre@example.com.',
    sentTitle: 'Revise su correo',
    sent: (email: ReactNode) =>
      rich`Hemos enviado un mensaje a ${email}. Abra el enlace que contiene para confirmar su dirección.`,
    sentHint: 'Puede tardar un minuto. Mire también en la carpeta de spam.',
    resend: 'Enviar el mensaje de nuevo',
    wrongAddress: '¿Dirección equivocada?',
    confirmTitle: 'Confirme su correo electrónico',
    confirmText: 'Cree su cuenta con esta dirección.',
    confirmPasswordText: 'Cree su cuenta con esta dirección y elija su contraseña.',
    confirm: 'Confirmar la dirección',
    confirmedTitle: 'Su cuenta está lista',
    confirmed: (name: ReactNode) => rich`Su dirección está confirmada, ${name}. Ya puede iniciar la sesión.`,
    registeredTitle: 'Usted ya tiene una cuenta',
    registered: 'Inicie la sesión con su contraseña. Si la ha olvidado, elija una nueva.',
  },
  recovery: {
    title: '¿Olvidó su contraseña?',
    text: 'Escriba su correo electrónico. Le enviaremos un enlace para elegir una contraseña nueva.',
    login: 'Correo electrónico',
    submit: 'Enviar el enlace',
    back: 'Volver al inicio de sesión',
    sentTitle: 'Revise su correo',
    sent: (login: ReactNode) => rich`Si hay una cuenta para ${login}, hemos enviado un mensaje con un enlace.`,
    passwordTitle: 'Elija una contraseña nueva',
    password: 'Contraseña nueva',
    save: 'Guardar la contraseña',
    doneTitle: 'Su contraseña se ha cambiado',
    done: 'Ya puede iniciar la sesión con la contraseña nueva.',
    forgot: '¿Olvidó su contraseña?',
    another: 'Pedir otro enlace',
  },
  invitation: {
    title: 'Le damos la bienvenida',
    text: 'Su cuenta está casi lista. Elija una contraseña para iniciar sesión.',
    invalid:
      'Ya se ha usado, es demasiado antiguo o se ha enviado otro más reciente. Pida otra invitación al responsable de este sitio.',
  },
  links: {
    invalidTitle: 'Este enlace ya no sirve',
    invalid: 'Ya se usó, o es demasiado antiguo.',
    limited: 'Demasiados intentos. Espere unos minutos e inténtelo de nuevo.',
    offTitle: 'Esta página no está disponible',
    off: 'Pida una cuenta o una contraseña nueva al operador de este sitio.',
    continue: 'Continuar al inicio de sesión',
  },
};
