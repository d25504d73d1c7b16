import { parseArgs } from 'node:util';
import { ConfigError, suggest } from '@carnet/provider/config';
import { clientCommands } from './clients/client-commands.ts';
import { importClient } from './clients/import-client.ts';
import { type Command, type ExitCode, exitCodes, type Surface, UsageError, type Values } from './command.ts';
import { createCompletion } from './completion/completion.ts';
import { configPrint } from './config-commands/print.ts';
import { configSchemaCommand } from './config-commands/schema.ts';
import { demo } from './demo/demo.ts';
import { directoryCheck } from './directory/check-directories.ts';
import { directoryFind, directoryVerify } from './directory/find-user.ts';
import { directoryPurge } from './directory/purge-cache.ts';
import { doctor } from './doctor/doctor.ts';
import { explain } from './explain.ts';
import { configFromHydra } from './from-hydra/config-from-hydra.ts';
import { health } from './health/health.ts';
import { createHelp, spellingsOf } from './help/help.ts';
import { init } from './init/init.ts';
import { jwkCommands } from './jwks/jwk-commands.ts';
import { keysGenerate } from './keys/generate.ts';
import { keysImport } from './keys/import.ts';
import { keysList } from './keys/list.ts';
import { keysRotate } from './keys/rotate.ts';
import { keysUnseal } from './keys/unseal.ts';
import { assertFormat, printable } from './output.ts';
import { performCommands } from './perform/perform-commands.ts';
import { serve } from './serve/serve.ts';
import { migrateDown, migrateStatus, migrateUpCommand } from './stores/migrate.ts';
import { sweep } from './stores/sweep.ts';
import { tokenCommands } from './tokens/token-commands.ts';
import { importTrustedIssuer } from './trust/import-trusted-issuer.ts';
import { ui } from './ui/ui.ts';
import { usersImport } from './users/import.ts';
import { userCommands } from './users/user-commands.ts';
import { versionCommand } from './version.ts';

const help = createHelp(() => commands);
const completion = createCompletion(() => commands);

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  serve,
  ui,
  demo,
  health,
  init,
  migrateUpCommand,
  migrateStatus,
  migrateDown,
  sweep,
  doctor,
  directoryCheck,
  directoryFind,
  directoryVerify,
  directoryPurge,
  keysGenerate,
  keysImport,
  keysList,
  keysRotate,
  keysUnseal,
  ...userCommands,
  usersImport,
  configPrint,
  configSchemaCommand,
  configFromHydra,
  ...clientCommands,
  importClient,
  ...tokenCommands,
  ...performCommands,
  ...jwkCommands,
  importTrustedIssuer,
  completion,
  versionCommand,
  help,
];

/** Options that stand for commands. */
const aliases: Readonly<Record<string, string>> = {
  '--help': 'help',
  '-h': 'help',
  '--version': 'version',
  '-v': 'version',
};

interface Invocation {
  readonly command: Command;
  readonly rest: readonly string[];
}

/** A noun in the singular and the plural. */
const forms = (noun: string): readonly string[] => [noun, noun.replace(/s$/, ''), `${noun}s`];

/** `clients list` for `list clients`: Hydra's commands begin with the verb, others with the noun. Either order is accepted. */
const inOrder = (words: readonly string[]): readonly string[] => {
  const [one = '', two = '', ...rest] = words;
  const spelled = commands.map(({ name }) => name.split(' '));
  const found = spelled.find(
    (name) =>
      (name[0] === two && forms(one).includes(name[1] ?? '')) ||
      (name[1] === one && forms(two).includes(name[0] ?? '')),
  );
  return found === undefined || commands.some(({ name }) => name === `${one} ${two}`) ? words : [...found, ...rest];
};

const findCommand = (argv: readonly string[]): Invocation => {
  const [first = 'help', ...others] = argv;
  const words = inOrder([aliases[first] ?? first, ...others]);
  for (const length of [3, 2, 1]) {
    const spelled = words.slice(0, length).join(' ');
    const command = commands.find((candidate) => spellingsOf(candidate).includes(spelled));
    if (command === undefined) continue;
    const rest = words.slice(length);
    return rest.includes('--help') || rest.includes('-h')
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
export const parseCommandLine = (
  argv: readonly string[],
): { command: Command; values: Values; operands: readonly string[] } => {
  const invocation = findCommand(argv);
  return { command: invocation.command, ...parseOptions(invocation) };
};

const report = (error: unknown, { err }: Surface, command?: Command): ExitCode => {
  if (error instanceof ConfigError) {
    err(`carnet: ${error.message}`);
    return exitCodes.config;
  }
  err(`carnet: ${explain(error)}`);
  if (!(error instanceof UsageError)) return exitCodes.failed;
  err(`Try: carnet help${command === undefined || command === help ? '' : ` ${command.name}`}`);
  return exitCodes.usage;
};

/** Messages quote files, servers and command lines. This one step keeps their control characters from a terminal. */
const screened = (surface: Surface): Surface => ({ ...surface, err: (line) => surface.err(printable(line)) });

/** Runs one command line and returns the exit code. Never throws. */
export const run = async (argv: readonly string[], given: Surface): Promise<ExitCode> => {
  const surface = screened(given);
  let command: Command | undefined;
  try {
    const invocation = findCommand(argv);
    command = invocation.command;
    const { values, operands } = parseOptions(invocation);
    // Before the command changes anything.
    assertFormat(values);
    return (await command.run(values, surface, operands)) ?? exitCodes.ok;
  } catch (error) {
    return report(error, surface, command);
  }
};
