import type { ExaminedIssuer, ExaminedIssuers } from '@carnet/issuers/config';
import {
  ConfigError,
  completeConfig,
  type Examined,
  examineConfig,
  isTree,
  type Problem,
  type Tree,
  withAt,
} from '@carnet/provider/config';
import { loadKeys } from '@carnet/provider/keys';
import type { Environment } from '../env.ts';
import { issuersConfig } from '../load-package.ts';
import { readConsoleLogo } from './console-logo.ts';
import { devModeIn } from './dev-folder.ts';
import { applyIssuerVariables, misspelledIn } from './issuer-variables.ts';
import { isStrict } from './misspelled-variables.ts';
import { readConfigFile } from './read-file.ts';
import { applyVariables } from './read-variables.ts';
import { type CommandConfig, type CommandDraft, commandLayout } from './schema.ts';
import { variableFor } from './variables.ts';

export interface LoadOptions {
  /** A YAML or JSON file. The environment overrides it; `dev` and `workers` override both. */
  readonly file?: string;
  readonly env: Environment;
  readonly dev?: boolean;
  readonly workers?: number;
  /** Used in place of the content of `file`, whose name problems still have. */
  readonly settings?: Tree;
  /** Default: `NODE_ENV` of `env` is `production`. */
  readonly production?: boolean;
  /** The folder in which dev mode keeps its store and its secrets. Default: in memory, until the process ends. */
  readonly devFolder?: string;
  /** The issuer whose parts `loadParts` returns. Default: the first one. */
  readonly issuer?: string;
  /** The origin of the bundled pages in dev mode. Default: `http://localhost:3000`. */
  readonly devPages?: string;
}

export interface Loaded {
  readonly config: CommandConfig;
  /** The configurations of further issuers, by name. */
  readonly issuers: ReadonlyMap<string, CommandConfig>;
  /** The options that loaded it. */
  readonly source: LoadOptions;
  readonly warnings: readonly string[];
  /** Configuration keys whose values dev mode generated at random in this run. */
  readonly generated: readonly string[];
}

/** Records for each key of a file that its value comes from there. */
const noteKeys = (tree: Tree, place: string, origins: Map<string, string>, prefix = ''): void => {
  for (const [name, value] of Object.entries(tree)) {
    if (isTree(value) && Object.keys(value).length > 0) noteKeys(value, place, origins, `${prefix}${name}.`);
    else origins.set(`${prefix}${name}`, place);
  }
};

const problemsIn = (load: () => unknown): readonly string[] => {
  try {
    load();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

/** Loads the key file only to report its problems together with the others: `createProvider` loads it again. */
const keyProblems = ({ draft: { keys }, isInvalid }: Examined): readonly string[] =>
  isInvalid('keys') || (keys.file === undefined && keys.jwks === undefined) ? [] : problemsIn(() => loadKeys(keys));

/** Reads the logo for the same reason. */
const logoProblems = ({ draft, isInvalid }: Examined<CommandDraft>): readonly string[] =>
  isInvalid('console.brand.logo') || !draft.console.enabled ? [] : problemsIn(() => readConsoleLogo(draft.console));

/** The same for an issuer with a key file or a logo of its own. */
const ownFileProblems = (
  { name, examined }: ExaminedIssuer<CommandDraft>,
  { draft: { keys, console } }: Examined<CommandDraft>,
): readonly string[] =>
  [
    ...(examined.draft.keys.file === keys.file ? [] : keyProblems(examined)),
    ...(examined.draft.console?.brand?.logo === console?.brand?.logo ? [] : logoProblems(examined)),
  ].map((problem) => `issuers.${name}.${problem}`);

export interface Examination {
  readonly examined: Examined<CommandDraft>;
  readonly further: ExaminedIssuers<CommandDraft>;
  /** The file, variable or flag that sets each key. */
  readonly origins: ReadonlyMap<string, string>;
  /** The problems of variables. */
  readonly problems: string[];
  /** Variables that are probably misspelled. If `CARNET_STRICT` is set, they are among the problems instead. */
  readonly misspelled: readonly string[];
  /** Begins the problem of a configuration without any setting. */
  readonly empty: string | undefined;
}

const noIssuers: ExaminedIssuers<CommandDraft> = { issuers: new Map(), problems: [], warnings: [] };

const emptyText = (file: string | undefined): string =>
  file === undefined
    ? 'Neither a file (--config) nor a variable sets anything. These keys are needed'
    : `${file}: has no settings, and these keys are set nowhere else`;

/**
 * Reads the file, then the environment, then the flags, and examines the result.
 *
 * @throws ConfigError for a file that can't be read: everything that it may set would be reported as missing.
 */
export const examine = (options: LoadOptions): Examination => {
  const { file, env, dev, workers, devFolder, devPages, production = env.NODE_ENV === 'production' } = options;
  const problems: string[] = [];
  const origins = new Map<string, string>();
  let settings: Tree = options.settings ?? (file === undefined ? {} : readConfigFile(file));
  const isEmptyFile = Object.keys(settings).length === 0;
  noteKeys(settings, file ?? '', origins);
  settings = applyIssuerVariables(applyVariables(settings, env, origins, problems), env, origins, problems);
  const isEmpty = file === undefined ? Object.keys(settings).length === 0 : isEmptyFile;
  const empty = isEmpty ? emptyText(file) : undefined;
  for (const [key, value] of Object.entries({ dev, workers })) {
    if (value === undefined) continue;
    settings = withAt(settings, key, value);
    origins.set(key, `--${key}`);
  }
  const misspelled = misspelledIn(settings, env);
  const strict = isStrict(env, problems);
  if (strict) problems.unshift(...misspelled);
  const devMode = devFolder === undefined ? undefined : { ...devModeIn(devFolder), pages: devPages };
  const surroundings = { production, devMode, variableFor };
  const examined = examineConfig(settings, origins, surroundings, commandLayout);
  const further = issuersConfig?.examineIssuers(settings, examined, { origins, surroundings, layout: commandLayout });
  return {
    ...{ examined, origins, problems, empty },
    further: further ?? noIssuers,
    misspelled: strict ? [] : misspelled,
  };
};

/** The problems as text. If there are no settings at all, all keys that are not set are one problem. */
const textsOf = (found: readonly Problem[], empty: string | undefined): readonly string[] => {
  const missing = empty === undefined ? [] : found.filter(({ origin }) => origin === undefined);
  // A command that needs one key reports more about this key.
  if (missing.length < 2) return found.map(({ text }) => text);
  const keys = missing.map(({ key }) => key).join(', ');
  return [
    `${empty}: ${keys}. \`carnet init\` writes a configuration, \`carnet init --dev\` one for development.`,
    ...found.filter(({ origin }) => origin !== undefined).map(({ text }) => text),
  ];
};

/** Throws the problems, if there are any. A misspelled variable is often the cause of one, so it comes first. */
const completed = (draft: CommandDraft, problems: readonly string[], misspelled: readonly string[]): CommandConfig =>
  // Sound because the layout sets the host.
  completeConfig(draft, problems.length > 0 ? [...misspelled, ...problems] : []) as CommandConfig;

/**
 * The configuration of a process: file, environment and flags, checked together with the key file.
 *
 * @throws ConfigError with every problem at once. Each names the key, and the variable or file that sets it.
 */
export const loadConfig = (options: LoadOptions): Loaded => {
  const { examined, further, problems, misspelled, empty } = examine(options);
  const { draft, warnings, generated } = examined;
  const issuers = [...further.issuers.values()];
  problems.push(...textsOf(examined.problems, empty), ...keyProblems(examined), ...logoProblems(examined));
  problems.push(...further.problems);
  problems.push(...issuers.flatMap((issuer) => ownFileProblems(issuer, examined)));
  return {
    config: completed(draft, problems, misspelled),
    issuers: new Map(issuers.map(({ name, examined: own }) => [name, completed(own.draft, problems, misspelled)])),
    source: options,
    warnings: [...misspelled, ...warnings.map(({ text }) => text), ...further.warnings],
    generated,
  };
};

/** @throws ConfigError if there is no such issuer */
export const issuerNamed = <Issuer>(name: string, issuers: ReadonlyMap<string, Issuer>): Issuer => {
  const issuer = issuers.get(name);
  if (issuer !== undefined) return issuer;
  const known = issuers.size === 0 ? 'The section issuers is empty.' : `It has ${[...issuers.keys()].join(', ')}.`;
  throw new ConfigError([`--issuer: the section issuers has no "${name}". ${known}`]);
};

/**
 * Parts of the configuration, for commands that need only these. Other keys may be missing or wrong.
 *
 * @throws ConfigError with every problem of `dev` and of the parts.
 */
export const loadParts = <Part extends keyof CommandConfig>(
  options: LoadOptions,
  parts: readonly Part[],
): Pick<CommandConfig, Part> => {
  const { examined, further, problems, misspelled, empty } = examine(options);
  const isNeeded = (key: string): boolean =>
    ['dev', ...parts].some((part) => key === part || key.startsWith(`${part}.`));
  const found = examined.problems.filter(({ key }) => isNeeded(key));
  problems.push(...textsOf(found, empty));
  if (options.issuer === undefined) return completed(examined.draft, problems, misspelled);
  const issuer = issuerNamed(options.issuer, further.issuers);
  problems.push(...issuer.problems.filter(({ key }) => isNeeded(key)).map(({ text }) => text));
  return completed(issuer.examined.draft, problems, misspelled);
};
