import { type Command, exitCodes, type Option, UsageError } from '../command.ts';
import { columns } from './columns.ts';
import { exitCodeRows } from './exit-codes.ts';

const overview = (commands: readonly Command[]): string[] => [
  'carnet: an OpenID Provider',
  '',
  'Usage: carnet <command> [options]',
  '',
  ...columns(commands.map(({ name, summary }) => [name, summary])),
  '',
  'The configuration comes from the environment and, with --config, from a file.',
  '`carnet help <command>` lists the options of a command, `carnet help topics` what else is explained.',
  '',
  'Exit codes:',
  ...columns(exitCodeRows),
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
    ...(rows.length > 0 ? ['', ...columns(rows)] : []),
    ...(examples.length > 0 ? ['', 'Examples:', ...examples.map((example) => `  ${example}`)] : []),
  ];
};

/** The name of a command and its aliases. */
export const spellingsOf = ({ name, aliases = [] }: Pick<Command, 'name' | 'aliases'>): readonly string[] => [
  name,
  ...aliases,
];

/** The lines about a topic, such as `errors` or `config ttl`; undefined if there is no such topic. */
const topicLines = async (words: readonly string[]): Promise<readonly string[] | undefined> => {
  // Loaded here: the schema of the configuration and the tables of the documents are not needed otherwise.
  const { topics } = await import('./topics.ts');
  const [name = '', ...rest] = words;
  if (name === 'topics') return columns(topics.map((topic) => [topic.name, topic.summary]));
  return topics.find((topic) => topic.name === name)?.lines(rest.join(' '));
};

const unknown = async (name: string, commands: readonly Command[]): Promise<UsageError> => {
  const [{ topics }, { suggest }] = await Promise.all([import('./topics.ts'), import('@carnet/provider/config')]);
  const meant = suggest(name, [...commands.flatMap(spellingsOf), ...topics.map((topic) => topic.name)]);
  const advice = meant === undefined ? '`carnet help topics` lists the topics.' : `Did you mean "${meant}"?`;
  return new UsageError(`There is no command and no topic "${name}". ${advice}`);
};

/**
 * The command `help`: an overview of all commands or of those that begin with a word, the help of one command, or a table of
 * the documents.
 */
export const createHelp = (commands: () => readonly Command[]): Command => ({
  name: 'help',
  summary: 'List the commands, explain one of them, or show a topic such as config, errors or metrics.',
  options: {},
  operands: '[command|topic]',
  examples: ['carnet help serve', 'carnet help config ttl', 'carnet help errors', 'carnet help topics'],
  run: async (_values, { out }, operands) => {
    const name = operands.join(' ');
    const command = commands().find((candidate) => spellingsOf(candidate).includes(name));
    const group = commands().filter((candidate) => candidate.name.startsWith(`${name} `));
    if (name === '' || command !== undefined) {
      for (const line of command === undefined ? overview(commands()) : details(command)) out(line);
      return exitCodes.ok;
    }
    const topic = await topicLines(operands);
    if (topic === undefined && group.length === 0) throw await unknown(name, commands());
    const lines = group.length === 0 ? [] : overview(group);
    for (const line of [...lines, ...(lines.length > 0 && topic ? [''] : []), ...(topic ?? [])]) out(line);
    return exitCodes.ok;
  },
});
