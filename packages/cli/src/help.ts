import { type Command, exitCodes, type Option, UsageError } from './command.ts';

const exitCodeLines = [
  '  0   done; serve: stopped by a signal',
  '  1   failed: a port is in use, the store or the server does not answer, the server refused',
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

const optionName = (name: string, { short, value, multiple }: Option): string =>
  [
    short === undefined ? '' : `-${short}, `,
    `--${name}`,
    value === undefined ? '' : ` <${value}>`,
    multiple ? ' ...' : '',
  ].join('');

const details = ({ name, summary, options, operands, aliases = [], examples = [] }: Command): string[] => {
  const rows = Object.entries(options).map(
    ([option, described]) => [optionName(option, described), described.summary] as const,
  );
  const usage = [
    'carnet',
    name,
    ...(operands === undefined ? [] : [operands]),
    ...(rows.length > 0 ? ['[options]'] : []),
  ];
  return [
    summary,
    '',
    `Usage: ${usage.join(' ')}`,
    ...aliases.map((alias) => `       carnet ${alias} ...`),
    ...(rows.length > 0 ? ['', ...table(rows)] : []),
    ...(examples.length > 0 ? ['', 'Examples:', ...examples.map((example) => `  ${example}`)] : []),
  ];
};

/** The name of a command and its aliases. */
export const spellingsOf = ({ name, aliases = [] }: Pick<Command, 'name' | 'aliases'>): readonly string[] => [
  name,
  ...aliases,
];

/** The command `help`: an overview of all commands or of those that begin with a word, or the help of one command. */
export const createHelp = (commands: () => readonly Command[]): Command => ({
  name: 'help',
  summary: 'List the commands, or explain one of them.',
  options: {},
  operands: '[command]',
  run: (_values, { out }, operands) => {
    const name = operands.join(' ');
    const command = commands().find((candidate) => spellingsOf(candidate).includes(name));
    const group = commands().filter((candidate) => candidate.name.startsWith(`${name} `));
    if (name !== '' && command === undefined && group.length === 0)
      throw new UsageError(`There is no command "${name}".`);
    for (const line of command === undefined ? overview(name === '' ? commands() : group) : details(command)) out(line);
    return exitCodes.ok;
  },
});
