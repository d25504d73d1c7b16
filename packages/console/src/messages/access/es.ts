import type { AccessMessages } from './en.ts';

export const es: AccessMessages = {
  ended: 'Su sesión ha terminado',
  endedForm: 'No se ha cambiado nada. Inicie sesión y envíe el formulario de nuevo.',
  signIn: 'Iniciar sesión',
  signOut: 'Cerrar sesión',
  noAccess: 'Sin acceso',
  withoutRole: 'Ha iniciado sesión, pero no tiene ningún rol en esta consola. Solicite acceso a un administrador.',
  failed: 'El inicio de sesión falló',
  otherBrowser: 'El inicio de sesión tardó demasiado, o se comenzó en otro navegador o pestaña.',
  refused: 'El inicio de sesión no se completó. El registro del servidor contiene los detalles.',
  signedOut: 'Ha cerrado la sesión',
  signedOutText:
    'Ha cerrado la sesión en la consola. Es posible que las aplicaciones y la página de inicio de sesión aún le recuerden.',
  signOutEverywhere: 'Cerrar la sesión también allí',
};
