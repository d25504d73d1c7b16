import { type Command, exitCodes, UsageError } from './command.ts';

const exitCodeLines = [
  '  0   done; serve: stopped by a signal',
  '  1   could not go on: a port is taken, the store does not answer, a worker did not start',
  '  2   the command line is wrong',
  '  78  the configuration is refused',
];

const table = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`);
};

const overview = (commands: readonly Command[]): string[] => [
  'carnet: an OpenID Provider',
  '',
  'Usage: carnet <command> [options]',
  '',
  ...table(commands.map(({ name, summary }) => [name, summary])),
  '',
  'The configuration comes from the environment and, with --config, from a file.',
  '`carnet help <command>` lists the options of a command.',
  '',
  'Exit codes:',
  ...exitCodeLines,
];

const details = ({ name, summary, options, operands }: Command): string[] => {
  const rows = Object.entries(options).map(
    ([option, { value, summary: text }]) => [`--${option}${value === undefined ? '' : ` <${value}>`}`, text] as const,
  );
  const usage = [
    'carnet',
    name,
    ...(operands === undefined ? [] : [operands]),
    ...(rows.length > 0 ? ['[options]'] : []),
  ];
  return [summary, '', `Usage: ${usage.join(' ')}`, ...(rows.length > 0 ? ['', ...table(rows)] : [])];
};

/** The help of a command, or of them all. */
export const createHelp = (commands: () => readonly Command[]): Command => ({
  name: 'help',
  summary: 'Say what there is, or explain one command.',
  options: {},
  operands: '[command]',
  run: (_values, { out }, operands) => {
    const name = operands.join(' ');
    const command = commands().find((candidate) => candidate.name === name);
    if (name !== '' && command === undefined) throw new UsageError(`There is no command "${name}".`);
    for (const line of command === undefined ? overview(commands()) : details(command)) out(line);
    return exitCodes.ok;
  },
});
