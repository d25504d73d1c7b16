import { parseArgs } from 'node:util';
import { ConfigError, suggest } from '@carnet/provider/config';
import { type Command, type ExitCode, exitCodes, type Surface, UsageError, type Values } from './command.ts';
import { explain } from './explain.ts';
import { spellingsOf } from './help/help.ts';
import { assertFormat, printable } from './output.ts';

/** Options that stand for commands. */
const aliases: Readonly<Record<string, string>> = {
  '--help': 'help',
  '-h': 'help',
  '--version': 'version',
  '-v': 'version',
};

/** Whether a command line asks for the help of its command. */
export const isHelpWanted = (argv: readonly string[]): boolean => argv.includes('--help') || argv.includes('-h');

interface Invocation {
  readonly command: Command;
  readonly rest: readonly string[];
}

/** The commands that a command line may name, and the one that explains them. */
export interface CommandTable {
  readonly commands: readonly Command[];
  /** Absent if no help was requested. */
  readonly help?: Command;
}

/** A noun in the singular and the plural. */
const forms = (noun: string): readonly string[] => [noun, noun.replace(/s$/, ''), `${noun}s`];

/** `clients list` for `list clients`: Hydra's commands begin with the verb, others with the noun. Either order is accepted. */
const inOrder = (words: readonly string[], commands: readonly Command[]): readonly string[] => {
  const [one = '', two = '', ...rest] = words;
  const spelled = commands.map(({ name }) => name.split(' '));
  const found = spelled.find(
    (name) =>
      (name[0] === two && forms(one).includes(name[1] ?? '')) ||
      (name[1] === one && forms(two).includes(name[0] ?? '')),
  );
  return found === undefined || commands.some(({ name }) => name === `${one} ${two}`) ? words : [...found, ...rest];
};

const findCommand = (argv: readonly string[], { commands, help }: CommandTable): Invocation => {
  const [first = 'help', ...others] = argv;
  const words = inOrder([aliases[first] ?? first, ...others], commands);
  for (const length of [3, 2, 1]) {
    const spelled = words.slice(0, length).join(' ');
    const command = commands.find((candidate) => spellingsOf(candidate).includes(spelled));
    if (command === undefined) continue;
    const rest = words.slice(length);
    return help !== undefined && isHelpWanted(rest)
      ? { command: help, rest: command.name.split(' ') }
      : { command, rest };
  }
  const inGroup = commands
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${first} `) || forms(first).includes(name.split(' ')[1] ?? ''));
  if (inGroup.length > 0)
    throw new UsageError(`Name one of these commands: ${inGroup.map((name) => `carnet ${name}`).join(', ')}.`);
  const meant = suggest(
    first,
    commands.map(({ name }) => name),
  );
  throw new UsageError(`There is no command "${first}".${meant === undefined ? '' : ` Did you mean "${meant}"?`}`);
};

const parseOptions = ({ command, rest }: Invocation): { values: Values; operands: readonly string[] } => {
  try {
    const { values, positionals } = parseArgs({
      args: [...rest],
      options: Object.fromEntries(
        Object.entries(command.options).map(([name, { type, multiple, short }]) => [
          name,
          { type, ...(multiple && { multiple }), ...(short !== undefined && { short }) },
        ]),
      ),
      allowPositionals: command.operands !== undefined,
    });
    return { values: values as Values, operands: positionals };
  } catch (error) {
    const message = (error as Error).message.split('. ', 1)[0] ?? '';
    const unknown = /^Unknown option '--([^'=]+)/.exec(message)?.[1];
    const meant = unknown === undefined ? undefined : suggest(unknown, Object.keys(command.options));
    throw new UsageError(meant === undefined ? message : `${message}. Did you mean "--${meant}"?`);
  }
};

/** The command of a command line with its options and operands. @throws UsageError if the command line is wrong */
export const parseWith = (
  argv: readonly string[],
  table: CommandTable,
): { command: Command; values: Values; operands: readonly string[] } => {
  const invocation = findCommand(argv, table);
  return { command: invocation.command, ...parseOptions(invocation) };
};

const report = (error: unknown, { err }: Surface, command?: Command): ExitCode => {
  if (error instanceof ConfigError) {
    err(`carnet: ${error.message}`);
    return exitCodes.config;
  }
  err(`carnet: ${explain(error)}`);
  if (!(error instanceof UsageError)) return exitCodes.failed;
  err(`Try: carnet help${command === undefined || command.name === 'help' ? '' : ` ${command.name}`}`);
  return exitCodes.usage;
};

/** Messages quote files, servers and command lines. This one step keeps their control characters from a terminal. */
const screened = (surface: Surface): Surface => ({ ...surface, err: (line) => surface.err(printable(line)) });

/** Runs one command line and returns the exit code. Never throws. */
export const runCommandLine = async (
  argv: readonly string[],
  given: Surface,
  table: CommandTable,
): Promise<ExitCode> => {
  const surface = screened(given);
  let command: Command | undefined;
  try {
    const invocation = findCommand(argv, table);
    command = invocation.command;
    const { values, operands } = parseOptions(invocation);
    // Before the command changes anything.
    assertFormat(values);
    return (await command.run(values, surface, operands)) ?? exitCodes.ok;
  } catch (error) {
    return report(error, surface, command);
  }
};
