/** The texts of the page about the configuration. */
export const en = {
  title: 'Configuration',
  about:
    'The values that this process uses, with the source of each. Secrets are replaced. Processes read the configuration at their start.',
  search: 'Key, value or description',
  only: 'Show',
  all: 'all keys',
  set: 'keys that are set',
  columns: { key: 'Key', value: 'Value', source: 'Source', description: 'Description' },
  sources: { default: 'default', file: 'file', 'development mode': 'development mode' },
  notHere: 'Only the console of "carnet serve" shows the configuration. Run "carnet config print" beside the server.',
  unset: 'not set',
  warnings: 'Warnings and problems',
  noWarnings: 'There are none.',
  examine: {
    title: 'What would a change need?',
    about: 'Paste a configuration, or lines such as "ttl.accessToken: 1h". Nothing is changed.',
    text: 'Configuration (YAML or JSON)',
    scope: 'The text is',
    scopes: { keys: 'an addition to the present file', whole: 'the whole file' },
    submit: 'Examine',
    problems: 'Problems',
    noProblems: 'The configuration would be accepted.',
    changes: 'Changes',
    noChanges: 'No value would change.',
    before: 'Present value',
    after: 'New value',
    needs: 'Needs',
    restart: 'a restart of all processes, one after the other',
  },
  concerns: {
    issuer:
      'a restart of all processes at once, and a change of every client: they compare the issuer, and tokens of the present one are no longer accepted',
    secrets:
      'a restart of all processes. Put a new secret before the present one, and keep the present one: it opens what is encrypted with it',
    store: 'a restart of all processes at once. The data stay where they are: copy them first',
    keys: 'a restart of all processes. Publish new keys before they sign: see the page about keys',
    subjects: 'a restart of all processes. Subjects of users may change, so that clients no longer find their users',
    listener: 'a restart of all processes, and a change of the proxy in front of them',
  },
};

export type ConfigurationMessages = typeof en;
