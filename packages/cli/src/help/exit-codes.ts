/** The exit codes of `carnet`, with their meanings. */
export const exitCodeRows: readonly (readonly [string, string])[] = [
  ['0', 'done; serve: stopped by a signal'],
  ['1', 'failed: a port is in use, the store or the server does not answer, the server refused'],
  ['2', 'the command line is wrong'],
  ['78', 'the configuration is refused'],
];
