import type { ClientImportMessages } from './en.ts';

export const es: ClientImportMessages = {
  title: 'Importar clientes',
  about:
    'Suba clientes en JSON: un cliente, una lista o un cliente por línea. Se aceptan exportaciones de Hydra y de otros servidores, también con hashes en lugar de secretos.',
  file: 'Archivo',
  fileHint: 'Como máximo {size} y {clients} clientes.',
  lenient: 'Omitir los miembros que el servidor rechaza',
  lenientHint:
    'De lo contrario, se rechaza el cliente. En ambos casos, client_credentials se omite en un cliente que no se autentica. El resultado nombra cada miembro omitido.',
  check: 'Comprobar el archivo',
  checking: 'Comprobación del archivo',
  checkHint:
    'La comprobación encuentra valores incorrectos e identificadores que ya existen. El servidor tiene otras reglas, que aplica al registrar un cliente.',
  submit: 'Iniciar la importación',
  importing: 'Importación de clientes',
  stay: 'Mantenga esta página abierta hasta que aparezca el resultado. Si la abandona, la importación se detiene. Los clientes ya registrados se conservan, y otra importación del archivo continúa con los demás.',
  stop: 'Detener',
  progress: 'Progreso',
  step: '{done} de {all}',
  result: 'Resultado',
  outcomes: {
    ready: 'Se puede importar',
    created: 'Creado',
    existing: 'Ya existe, no se ha cambiado',
    refused: 'Rechazado',
    skipped: 'No intentado',
  },
  secret: 'Secreto del cliente: {secret}',
  newSecrets:
    'Clientes sin secreto en el archivo: {count}. La importación genera secretos nuevos para ellos, y sus aplicaciones dejan de funcionar hasta que los cambie allí. Una segunda importación no cambia ningún secreto. Para conservar los secretos, deténgase aquí y exporte los hashes: consulte la guía «Coming from Ory Hydra», paso 5. De lo contrario, copie cada secreto nuevo del resultado: se muestra una sola vez.',
  needsSecret: 'El archivo no tiene un secreto para él: la importación genera uno nuevo.',
  secretsOnce: 'Copie ahora los secretos de arriba: no se vuelven a mostrar.',
  nothing: 'No hay nada que importar.',
  top: 'Volver arriba',
  repeated: 'El archivo tiene otro cliente con este identificador antes de este.',
  noId: 'No tiene client_id: recibe uno nuevo en cada importación.',
  again: 'Otro archivo',
  problems: {
    notJson: 'El archivo no es JSON válido.',
    notJsonLine: 'La línea {line} del archivo no es JSON válido.',
    notObjects: 'Cada cliente del archivo debe ser un objeto JSON.',
    notUtf8: 'El archivo no es UTF-8. Guarde el archivo como UTF-8.',
    onePage:
      'El archivo tiene una página de una lista más larga (is_last_page es false o next_page_token tiene un valor). Exporte todas las páginas.',
    empty: 'El archivo no tiene ningún cliente.',
    tooMany: 'El archivo tiene {count} clientes. Se importan como máximo {most} a la vez: divida el archivo.',
    running: 'Hay otra importación en curso. Espere su resultado o deténgala.',
  },
};
