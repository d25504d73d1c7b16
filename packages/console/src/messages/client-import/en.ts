/** The texts of the import of clients. */
export const en = {
  title: 'Import clients',
  about:
    'Upload clients as JSON: one client, a list, or one client in each line. Exports of Hydra and other servers are accepted, also with hashes in place of secrets.',
  file: 'File',
  fileHint: 'At most {size} and {clients} clients.',
  lenient: 'Leave out members that the server refuses',
  lenientHint:
    'Otherwise, the client is refused. In both cases, client_credentials is left out of a client that does not authenticate. The result names each member that was left out.',
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
  newSecrets:
    'Clients without a secret in the file: {count}. The import generates new secrets for them, and their apps stop working until you change them. A second import does not change a secret. To keep the secrets, stop here and export the hashes: see the guide “Coming from Ory Hydra”, step 5. Otherwise, copy each new secret from the result: it is shown once.',
  needsSecret: 'The file has no secret for it: the import generates a new one.',
  secretsOnce: 'Copy the secrets above now: they are not shown again.',
  nothing: 'There is nothing to import.',
  top: 'Back to the top',
  repeated: 'The file has another client with this id before this one.',
  noId: 'It has no client_id: it gets a new one in each import.',
  again: 'Another file',
  problems: {
    notJson: 'The file is not valid JSON.',
    notJsonLine: 'Line {line} of the file is not valid JSON.',
    notObjects: 'Each client of the file must be a JSON object.',
    notUtf8: 'The file is not UTF-8. Save the file as UTF-8.',
    onePage:
      'The file has one page of a longer list (is_last_page is false, or next_page_token is set). Export all pages.',
    empty: 'The file has no client.',
    tooMany: 'The file has {count} clients. At most {most} are imported at once: split the file.',
    running: 'Another import is running. Wait for its result, or stop it.',
  },
};

export type ClientImportMessages = typeof en;
