import type { ReactNode } from 'react';
import type { Messages } from '../en.ts';
import { plural } from '../plural.ts';
import { rich } from '../rich.ts';

const minutes = plural('es', { one: 'un minuto', other: '# minutos' });

export const signInPages = {
  login: {
    title: 'Iniciar sesión',
    to: (client: ReactNode) => rich`para continuar en ${client}`,
    name: 'Correo electrónico o usuario',
    password: 'Contraseña',
    showPassword: 'Mostrar la contraseña',
    remember: 'Mantener la sesión en este dispositivo',
    rememberDetail: 'Ofrece su cuenta aquí la próxima vez.',
    submit: 'Iniciar sesión',
    next: 'Continuar',
    cancel: 'Cancelar',
    or: 'o',
    notYou: '¿No es usted?',
    useAnother: 'Usar otra cuenta',
    wrong: 'El usuario o la contraseña no son correctos.',
    tooMany: (count: number) => `Demasiados intentos. Inténtelo de nuevo en ${minutes(count)}.`,
  },
  emailSignIn: {
    send: 'Recibir un código por correo',
    title: 'Introduzca el código del correo',
    text: 'Si esta cuenta existe y su dirección de correo está confirmada, le hemos enviado un código. El correo puede tardar un minuto.',
    usedUp: 'Se ha introducido un código incorrecto demasiadas veces. Envíe un código nuevo.',
    expired: 'Este código ha caducado. Solicite otro.',
    nameMissing: 'Introduzca su correo electrónico o su usuario.',
    noPassword: 'Déjela vacía para iniciar sesión con códigos por correo.',
  },
  chooser: {
    title: 'Elija una cuenta',
    forget: (account: string) => `Quitar ${account} de este dispositivo`,
  },
  consent: {
    title: (client: string) => `¿Permitir ${client}?`,
    heading: '¿Permitir el acceso?',
    wants: (client: ReactNode) => rich`${client} quiere usar su cuenta.`,
    wantsForDevice: (client: ReactNode) =>
      rich`${client} quiere usar su cuenta en el dispositivo cuyo código ha introducido.`,
    publishedBy: (host: ReactNode) => rich`Publicado por ${host}.`,
    returnTo: (receiver: ReactNode) => rich`Volverá a: ${receiver}.`,
    app: (scheme: string) => `una aplicación en este dispositivo (${scheme})`,
    thisComputer: (host: string) => `este equipo (${host})`,
    localCaution:
      'Esta aplicación se ejecuta en su equipo, donde cualquier programa puede usar su nombre. ' +
      'Permita el acceso solo si usted mismo inició la sesión.',
    deviceCaution:
      'Permita el acceso solo si el dispositivo es suyo y usted mismo lo inició. ' +
      'Nunca lo haga porque alguien se lo pida.',
    willAllow: (client: string) => `Esto permitirá a ${client}`,
    willShare: (client: string, claims: string) => `${client} también recibirá estos datos: ${claims}.`,
    remember: 'No volver a preguntar',
    allow: 'Permitir el acceso',
    deny: 'Denegar',
    privacy: 'Política de privacidad',
    terms: 'Condiciones del servicio',
  },
  organizations: {
    title: 'Elija una organización',
    text: 'Pertenece a varias organizaciones. ¿Para cuál quiere iniciar sesión?',
  },
  scopes: {
    openid: 'Saber quién es usted',
    profile: 'Ver su nombre y su perfil',
    email: 'Ver su dirección de correo electrónico',
    address: 'Ver su dirección postal',
    phone: 'Ver su número de teléfono',
    offline_access: 'Conservar el acceso cuando usted no esté',
    groups: 'Ver sus grupos',
    roles: 'Ver sus roles',
    organization: 'Ver la organización para la que inicia sesión',
  },
  claims: {
    name: 'nombre',
    family_name: 'apellidos',
    given_name: 'nombre de pila',
    middle_name: 'segundo nombre',
    nickname: 'apodo',
    preferred_username: 'nombre de usuario',
    profile: 'página de perfil',
    picture: 'foto',
    website: 'sitio web',
    gender: 'género',
    birthdate: 'fecha de nacimiento',
    zoneinfo: 'zona horaria',
    locale: 'idioma',
    updated_at: 'fecha del último cambio',
    email: 'correo electrónico',
    email_verified: 'si el correo electrónico está confirmado',
    address: 'dirección postal',
    phone_number: 'número de teléfono',
    phone_number_verified: 'si el número de teléfono está confirmado',
    groups: 'los grupos',
    roles: 'los roles',
  },
  device: {
    title: 'Conectar un dispositivo',
    confirmTitle: '¿Es este el código de su dispositivo?',
    lead: 'Introduzca el código que muestra su dispositivo.',
    confirmLead: 'Compárelo con el código de su dispositivo antes de continuar.',
    code: 'Código',
    caution:
      'Continúe solo si lo inició en su propio dispositivo. Si alguien le envió el código o el enlace, ' +
      'cierre esta página: obtendría acceso a su cuenta.',
    submit: 'Continuar',
    confirmSubmit: 'Sí, continuar',
    wrong: 'Ningún dispositivo tiene este código. Los códigos caducan a los pocos minutos: revíselo o pida otro.',
    tooMany:
      'Se han introducido demasiados códigos. Espere un momento y empiece de nuevo en la dirección que muestra su dispositivo.',
    requestedBy: 'Aplicación',
    requestedAt: 'Solicitado',
    requestedFrom: 'Desde',
    notMe: 'No fui yo',
    notMeTitle: 'No se ha conectado nada',
    notMeText:
      'Es posible que alguien le haya enviado el enlace o el código para acceder a su cuenta. Cierre esta página y no introduzca el código en ningún sitio.',
    connectedTitle: 'Su dispositivo está conectado',
    connectedText: 'Vuelva a su dispositivo. Puede cerrar esta página.',
  },
  logout: {
    title: 'Cerrar sesión',
    heading: '¿Cerrar sesión?',
    asks: (client: ReactNode) => rich`${client} solicita cerrar su sesión.`,
    endsSession: 'Esto cierra su sesión en este dispositivo.',
    again: 'La próxima vez tendrá que iniciar sesión de nuevo.',
    submit: 'Cerrar sesión',
    stay: 'Mantener la sesión',
    stayedTitle: 'Su sesión sigue abierta',
    stayedText: 'No ha cambiado nada. Puede cerrar esta página.',
  },
  expired: {
    reason: 'Estuvo abierto demasiado tiempo o ya ha terminado.',
    signIn: {
      title: 'Este inicio de sesión ha caducado',
      label: 'Empezar de nuevo',
      withLink: 'No ha pasado nada malo: solo tiene que empezar de nuevo.',
      withoutLink: 'Vuelva a la aplicación e inicie sesión desde allí.',
      withoutLinkOnDevice: 'Vuelva a su dispositivo y empiece de nuevo desde allí.',
    },
    signOut: {
      title: 'Este cierre de sesión ha caducado',
      label: 'Cerrar sesión de nuevo',
      withLink: 'Puede que su sesión siga abierta: para mayor seguridad, ciérrela de nuevo.',
      withoutLink: 'Puede que su sesión siga abierta: vuelva a la aplicación y ciérrela desde allí.',
    },
  },
} satisfies Partial<Messages>;
