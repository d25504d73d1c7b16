import type { Messages } from '../en.ts';

export const sitePages = {
  language: { label: 'Idioma', change: 'Cambiar' },
  help: 'Ayuda',
  home: {
    title: 'Aquí no hay nada que hacer',
    text: 'Las aplicaciones le dirigen a este sitio para iniciar sesión. Abra la aplicación que quiera usar e inicie sesión desde allí.',
  },
  error: {
    title: 'La solicitud ha fallado',
    home: 'Inicio',
    account: 'Su cuenta',
    requestId: 'Solicitud',
    code: 'Error',
    reported: 'Motivo comunicado',
    unknown: 'No se pudo completar la solicitud. Vuelva a la aplicación e inténtelo de nuevo.',
    codes: {
      access_denied: 'Se denegó el acceso.',
      invalid_request: 'La aplicación envió una solicitud no válida.',
      invalid_client: 'Este servicio no conoce la aplicación.',
      invalid_scope: 'La aplicación pidió un acceso que no puede pedir.',
      invalid_redirect_uri: 'La aplicación pidió una redirección a una dirección que no ha registrado.',
      unauthorized_client: 'Esta aplicación no puede usar esta forma de iniciar sesión.',
      unsupported_response_type: 'Esta aplicación no puede usar esta forma de iniciar sesión.',
      login_required: 'Primero tiene que iniciar sesión.',
      consent_required: 'Primero tiene que permitir el acceso.',
      request_forbidden: 'Este inicio de sesión empezó en otro navegador, o se bloquearon sus cookies.',
      temporarily_unavailable: 'El servicio está ocupado. Inténtelo de nuevo en un momento.',
      server_error: 'El servicio tuvo un error interno.',
    },
  },
  retry: 'Intentar de nuevo',
  problems: {
    missing_challenge: {
      title: 'Este enlace no es válido',
      text: 'Puede estar incompleto. Vuelva a la aplicación e inicie sesión desde allí.',
    },
    invalid_link: {
      title: 'Este enlace no es válido',
      text: 'Puede estar incompleto o haberse abierto en otro navegador. Vuelva a la aplicación e inicie sesión desde allí.',
    },
    forged_form: {
      title: 'Este formulario ya no es válido',
      text: 'La página ha caducado o las cookies están bloqueadas. Vuelva a cargarla e inténtelo de nuevo.',
    },
    invalid_form: {
      title: 'No se pudo leer este formulario',
      text: 'Faltaba un campo, estaba repetido o era demasiado largo. Abra el formulario de nuevo.',
    },
    api_unavailable: {
      title: 'Ahora no es posible iniciar sesión',
      text: 'El servicio no responde. Espere un momento e inténtelo de nuevo.',
    },
    api_refused: {
      title: 'No se pudo iniciar la sesión',
      text: 'El servicio no aceptó la respuesta de esta página. Si vuelve a ocurrir, póngase en contacto con el responsable de este sitio.',
    },
    foreign_redirect: {
      title: 'No se inició la sesión',
      text: 'El siguiente paso llevaba a un sitio desconocido. Por seguridad, no se le dirigió allí.',
    },
    directory_unavailable: {
      title: 'Ahora no es posible iniciar sesión',
      text: 'No pudimos comprobar su cuenta. Espere un momento e inténtelo de nuevo.',
    },
    server_error: { title: 'Algo ha salido mal', text: 'No es culpa suya. Inténtelo de nuevo.' },
  },
} satisfies Partial<Messages>;
