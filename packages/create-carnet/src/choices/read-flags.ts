import { parseArgs } from 'node:util';
import { type Flags, frameworks, pageKinds, stores, UsageError } from './choices.ts';

const options = {
  framework: { type: 'string' },
  store: { type: 'string' },
  'database-url': { type: 'string' },
  pages: { type: 'string' },
  mcp: { type: 'boolean' },
  install: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
} as const;

const oneOf = <T extends string>(flag: string, values: readonly T[], value: string | undefined): T | undefined => {
  const found = values.find((each) => each === value);
  if (value === undefined || found !== undefined) return found;
  throw new UsageError(`--${flag} ${value} is not supported. Choose one of: ${values.join(', ')}.`);
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    // The first sentence names the flag. The others are about node:util.
    const [sentence] = String((error as Error).message).split('. ');
    throw new UsageError(`${sentence}. \`npm create carnet -- --help\` lists the flags.`);
  }
};

const databaseUrl = (text: string | undefined): string | undefined => {
  if (text === undefined || /^postgres(?:ql)?:\/\//.test(text)) return text;
  throw new UsageError(
    '--database-url must begin with postgres://, such as postgres://user:password@127.0.0.1/carnet.',
  );
};

/**
 * Reads the arguments of the command.
 *
 * @throws UsageError that names the argument and what to write
 */
export const readFlags = (args: readonly string[]): Flags => {
  const { values, positionals } = parse(args);
  const [folder, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`There is one folder, but ${positionals.join(' and ')} are given.`);
  const url = databaseUrl(values['database-url']);
  const store = oneOf('store', stores, values.store) ?? (url === undefined ? undefined : 'postgres');
  if (url !== undefined && store !== 'postgres') throw new UsageError('--database-url needs --store postgres.');
  return {
    folder,
    framework: oneOf('framework', frameworks, values.framework),
    store,
    databaseUrl: url,
    pages: oneOf('pages', pageKinds, values.pages),
    mcp: values.mcp,
    install: values.install,
    yes: values.yes === true,
    help: values.help === true,
  };
};
