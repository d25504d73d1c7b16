import type { ConfigurationMessages } from './en.ts';

export const es: ConfigurationMessages = {
  title: 'Configuración',
  about:
    'Los valores que usa este proceso, con el origen de cada uno. Los secretos están sustituidos. Los procesos leen la configuración al arrancar.',
  search: 'Clave, valor o descripción',
  only: 'Mostrar',
  all: 'todas las claves',
  set: 'claves definidas',
  columns: { key: 'Clave', value: 'Valor', source: 'Origen', description: 'Descripción' },
  sources: { default: 'valor predeterminado', file: 'archivo', 'development mode': 'modo de desarrollo' },
  notHere:
    'Solo la consola de "carnet serve" muestra la configuración. Ejecute "carnet config print" junto al servidor.',
  unset: 'sin definir',
  warnings: 'Advertencias y problemas',
  noWarnings: 'No hay ninguno.',
  examine: {
    title: '¿Qué necesitaría un cambio?',
    about: 'Pegue una configuración, o líneas como «ttl.accessToken: 1h». No se cambia nada.',
    text: 'Configuración (YAML o JSON)',
    scope: 'El texto es',
    scopes: { keys: 'un añadido al archivo actual', whole: 'el archivo entero' },
    submit: 'Examinar',
    problems: 'Problemas',
    noProblems: 'La configuración sería aceptada.',
    changes: 'Cambios',
    noChanges: 'Ningún valor cambiaría.',
    before: 'Valor actual',
    after: 'Valor nuevo',
    needs: 'Necesita',
    restart: 'reiniciar todos los procesos, uno tras otro',
  },
  concerns: {
    issuer:
      'reiniciar todos los procesos a la vez y cambiar cada cliente: comparan el emisor, y los tokens del actual ya no se aceptan',
    secrets:
      'reiniciar todos los procesos. Ponga un secreto nuevo antes del actual y conserve el actual: abre lo que se cifró con él',
    store: 'reiniciar todos los procesos a la vez. Los datos se quedan donde están: cópielos antes',
    keys: 'reiniciar todos los procesos. Publique las claves nuevas antes de que firmen: vea la página de claves',
    subjects:
      'reiniciar todos los procesos. Los sujetos de los usuarios pueden cambiar, y los clientes ya no encuentran a sus usuarios',
    listener: 'reiniciar todos los procesos y cambiar el proxy que está delante',
  },
};
