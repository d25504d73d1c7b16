/** The texts of the import of clients. */
export const en = {
  title: 'Import clients',
  about:
    'Upload clients as JSON: one client, a list, or one client in each line. Exports of Hydra and other servers are accepted, also with hashes in place of secrets.',
  file: 'File',
  fileHint: 'At most {size} and {clients} clients.',
  lenient: 'Leave out members that the server refuses',
  lenientHint: 'Otherwise, the whole client is refused. The result names each member that was left out.',
  check: 'Check the file',
  checking: 'Check of the file',
  checkHint:
    'The check finds wrong values, and ids that exist already. The server has further rules, which it applies when it registers a client.',
  submit: 'Start the import',
  importing: 'Import of clients',
  stay: 'Keep this page open until the result is shown. If you leave it, the import stops. Clients that are registered by then stay, and another import of the file continues with the others.',
  stop: 'Stop',
  progress: 'Progress',
  step: '{done} of {all}',
  result: 'Result',
  outcomes: {
    ready: 'Can be imported',
    created: 'Created',
    existing: 'Exists already, not changed',
    refused: 'Refused',
    skipped: 'Not tried',
  },
  secret: 'Client secret: {secret}',
  repeated: 'The file has another client with this id before this one.',
  noId: 'It has no client_id: it gets a new one in each import.',
  again: 'Another file',
  problems: {
    notJson: 'The file is not valid JSON.',
    notJsonLine: 'Line {line} of the file is not valid JSON.',
    notObjects: 'Each client of the file must be a JSON object.',
    empty: 'The file has no client.',
    tooMany: 'The file has {count} clients. At most {most} are imported at once: split the file.',
    running: 'Another import is running. Wait for its result, or stop it.',
  },
};

export type ClientImportMessages = typeof en;
