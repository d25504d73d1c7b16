import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCommandLine } from '../../packages/cli/src/run.ts';
import { publishedPackages } from '../../scripts/pack.mjs';
import { root } from './blocks.ts';
import { curlProblem } from './curl.ts';
import { commandsIn } from './shell.ts';

/** The problem of a command, undefined if there is none. `folder` is the one to which the commands before changed. */
type Check = (args: readonly string[], folder: string) => string | undefined;

const own = new Set(publishedPackages().map(({ manifest: { name } }) => name));

const checkCarnet: Check = (args) => {
  try {
    parseCommandLine(args);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

/** A package of this project that is installed by a command must be one of the workspace. */
const checkPackages: Check = (args) => {
  const unknown = args
    .map((arg) => arg.replace(/(?<=.)@[^/]*$/, ''))
    .find((name) => /^@carnet\/|^create-carnet$/.test(name) && !own.has(name));
  return unknown === undefined ? undefined : `The workspace publishes no ${unknown}`;
};

const optionIn = (args: readonly string[], name: string): string | undefined => {
  const at = args.indexOf(name);
  return at === -1 ? undefined : args[at + 1];
};

/** A script of the repository, or of an app that the commands before have made. */
const checkScript = (script: string, args: readonly string[], folder: string): string | undefined => {
  const rest = args.slice(args.indexOf('--') + 1);
  if (script === 'carnet' && args.includes('--')) return checkCarnet(rest, folder);
  const manifest = join(root, folder, optionIn(args, '--prefix') ?? '', 'package.json');
  if (!existsSync(manifest)) return `There is no ${manifest}`;
  return JSON.parse(readFileSync(manifest, 'utf8')).scripts?.[script] === undefined
    ? `${manifest} has no script ${script}`
    : undefined;
};

const checkNpm: Check = (args, folder) => {
  const [verb = '', ...rest] = args.filter((arg) => arg !== '-s' && arg !== '--silent');
  switch (verb) {
    case 'run':
      return checkScript(rest[0] ?? '', rest.slice(1), folder);
    case 'start':
    case 'test':
      return checkScript(verb, rest, folder);
    case 'install':
    case 'i':
    case 'ci':
      return checkPackages(rest, folder);
    case 'create':
      return rest[0]?.startsWith('carnet') ? checkPackages(['create-carnet'], folder) : undefined;
    case 'init':
    case 'pkg':
      return undefined;
    default:
      return `npm ${verb} has no rule`;
  }
};

const checkNpx: Check = (args, folder) => {
  const [name = '', ...rest] = args.filter((arg) => !/^-y$|^--yes$/.test(arg));
  if (name === 'carnet' || name === '@carnet/cli') return checkCarnet(rest, folder);
  return name === 'create-carnet' ? undefined : `npx ${name} has no rule`;
};

/** The programs of the examples by their paths, or by their names: a reader has copied them. */
const filesNamed = (name: string): readonly string[] =>
  globSync(name.startsWith('examples/') ? name : `examples/*/${name}`, { cwd: root });

/** Programs with arguments that this project defines, and harmless programs of every machine. */
const checks: Readonly<Record<string, Check>> = {
  carnet: checkCarnet,
  npm: checkNpm,
  npx: checkNpx,
  curl: (args) => curlProblem(args),
  node: ([file = '']) => (filesNamed(file).length > 0 ? undefined : `there is no program ${file}`),
  ...Object.fromEntries(['cd', 'mkdir', 'cat', 'echo', 'openssl', 'git', ''].map((name) => [name, () => undefined])),
};

/** The first problem of a shell snippet: a command that is wrong, or has no rule. Undefined if there is none. */
export const shellProblem = (text: string): string | undefined => {
  let folder = '';
  let isNewApp = false;
  for (const { program, args } of commandsIn(text)) {
    if (program === 'npm' && args[0] === 'create') isNewApp = true;
    // test/release/create runs the scripts of an app that the commands before have made.
    if (isNewApp && program === 'npm' && ['start', 'test'].includes(args[0] ?? '')) continue;
    const check = checks[program];
    if (check === undefined) return `the program ${program} has no rule: add a marker`;
    const problem = check(args, folder);
    if (problem !== undefined) return problem;
    if (program === 'cd') folder = join(folder, args[0] ?? '');
  }
  return undefined;
};

/** Whether a line of a snippet calls a command: such a snippet is `sh`. */
export const callsCommand = (text: string): boolean =>
  /^(?:\$ |(?:[A-Z_]+=\S+ )*(?:npm|npx|carnet|curl|docker|helm|kubectl|sqlite3|psql) )/m.test(text);
