import type { ReactNode } from 'react';
import { rich } from '../rich.ts';
import type { ProviderPages } from './en.ts';

export const providerPages: ProviderPages = {
  providers: {
    continueWith: (label: string) => `Continuar con ${label}`,
    oneMoreStep: 'Un paso más',
    postAgain: 'Continúe para completar el inicio de sesión.',
    otherWay: 'Iniciar sesión de otra forma',
    deniedTitle: 'No ha iniciado sesión',
    denied: (label: ReactNode) => rich`El inicio de sesión con ${label} se canceló o se rechazó.`,
    failedTitle: 'No se pudo iniciar sesión',
    failed: (label: ReactNode) =>
      rich`El inicio de sesión con ${label} ha fallado. Inténtelo de nuevo dentro de un momento o inicie sesión de otra forma.`,
    unknownTitle: 'No tiene una cuenta aquí',
    unknown: (label: ReactNode) =>
      rich`La cuenta de ${label} que ha usado no está vinculada a ninguna cuenta de este sitio. Use otra o póngase en contacto con el operador de este sitio.`,
    firstTime: (label: ReactNode) =>
      rich`Es la primera vez que inicia sesión con ${label}. Se creará una cuenta con estos datos.`,
    link: (label: ReactNode) =>
      rich`Ya existe una cuenta con esta dirección. Inicie sesión para vincularla con ${label}.`,
    section: 'Servicios de inicio de sesión',
    sectionText: 'Las cuentas de otros servicios con las que inicia sesión aquí.',
    connect: (label: string) => `Vincular ${label}`,
    connectText: (label: ReactNode) =>
      rich`Va a iniciar sesión en ${label}. Después podrá usarlo para iniciar sesión aquí.`,
    connected: (date: string) => `Vinculada el ${date}`,
    notConnectedTitle: 'No se ha vinculado nada',
    notConnected:
      'Es posible que esa cuenta ya esté vinculada a otro usuario o que el inicio de sesión haya tardado demasiado. Inténtelo de nuevo.',
    notConnectedDenied: 'El inicio de sesión en el servicio se canceló o se rechazó.',
    notConnectedFailed: 'El servicio no responde o su respuesta no es válida. Inténtelo de nuevo dentro de un momento.',
    lastWayTitle: 'Es su única forma de iniciar sesión',
    lastWay: 'Añada primero otra forma de iniciar sesión. Después podrá quitar esta.',
  },
};
