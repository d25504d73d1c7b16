import type { ClientImportMessages } from './en.ts';

export const es: ClientImportMessages = {
  title: 'Importar clientes',
  about:
    'Suba clientes en JSON: un cliente, una lista o un cliente por línea. Se aceptan exportaciones de Hydra y de otros servidores, también con hashes en lugar de secretos.',
  file: 'Archivo',
  fileHint: 'Como máximo {size} y {clients} clientes.',
  lenient: 'Omitir los miembros que el servidor rechaza',
  lenientHint: 'De lo contrario, se rechaza el cliente entero. El resultado nombra cada miembro omitido.',
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
  repeated: 'El archivo tiene otro cliente con este identificador antes de este.',
  noId: 'No tiene client_id: recibe uno nuevo en cada importación.',
  again: 'Otro archivo',
  problems: {
    notJson: 'El archivo no es JSON válido.',
    notJsonLine: 'La línea {line} del archivo no es JSON válido.',
    notObjects: 'Cada cliente del archivo debe ser un objeto JSON.',
    empty: 'El archivo no tiene ningún cliente.',
    tooMany: 'El archivo tiene {count} clientes. Se importan como máximo {most} a la vez: divida el archivo.',
    running: 'Hay otra importación en curso. Espere su resultado o deténgala.',
  },
};
