import type { Config } from '@carnet/provider/config';
import {
  ConfigError,
  completeConfig,
  type Examined,
  examineConfig,
  isTree,
  type Tree,
  withAt,
} from '@carnet/provider/config';
import { loadKeys } from '@carnet/provider/keys';
import type { StorageConfig } from '@carnet/provider/storage';
import type { Environment } from '../env.ts';
import { devModeIn } from './dev-folder.ts';
import { misspelledVariables } from './misspelled-variables.ts';
import { readConfigFile } from './read-file.ts';
import { applyVariables } from './read-variables.ts';
import { variableFor } from './variables.ts';

export interface LoadOptions {
  /** A YAML or JSON file; the environment goes over it, `dev` and `workers` over both. */
  readonly file?: string;
  readonly env: Environment;
  readonly dev?: boolean;
  readonly workers?: number;
  /** Default: `NODE_ENV` of `env` is `production`. */
  readonly production?: boolean;
  /** Where dev mode keeps its store and what it made up. Default: nowhere, it ends with the process. */
  readonly devFolder?: string;
}

export interface Loaded {
  readonly config: Config;
  readonly warnings: readonly string[];
  /** Keys that dev mode made up at random in this run. */
  readonly generated: readonly string[];
}

const noteKeys = (tree: Tree, place: string, origins: Map<string, string>, prefix = ''): void => {
  for (const [name, value] of Object.entries(tree)) {
    if (isTree(value)) noteKeys(value, place, origins, `${prefix}${name}.`);
    else origins.set(`${prefix}${name}`, place);
  }
};

/** Runs a step whose ConfigError is to be reported together with all the others. */
const collecting = <T>(problems: string[], fallback: T, step: () => T): T => {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
    return fallback;
  }
};

/** Loads the keys only to report what is wrong with them in the same go; `createProvider` loads them for use. */
const checkKeys = ({ draft, isInvalid }: Examined, problems: string[]): void => {
  const isConfigured = draft.keys.file !== undefined || draft.keys.jwks !== undefined;
  if (isConfigured && !isInvalid('keys')) collecting(problems, undefined, () => void loadKeys(draft.keys));
};

/** File, environment and flags, one over the other, examined; `problems` has what was wrong with reading them. */
const examine = (options: LoadOptions): { examined: Examined; problems: string[] } => {
  const { file, env, dev, workers, devFolder, production = env.NODE_ENV === 'production' } = options;
  const problems: string[] = [];
  const origins = new Map<string, string>();
  let settings: Tree = file === undefined ? {} : collecting(problems, {}, () => readConfigFile(file));
  noteKeys(settings, file ?? '', origins);
  settings = applyVariables(settings, env, origins, problems);
  for (const [key, value] of Object.entries({ dev, workers })) {
    if (value === undefined) continue;
    settings = withAt(settings, key, value);
    origins.set(key, `--${key}`);
  }
  const devMode = devFolder === undefined ? undefined : devModeIn(devFolder);
  return { examined: examineConfig(settings, origins, { production, devMode, variableFor }), problems };
};

/**
 * The configuration of a process: file, environment and flags, checked together, the key file included.
 *
 * @throws ConfigError with every problem at once, each naming the key, or the variable it came from.
 */
export const loadConfig = (options: LoadOptions): Loaded => {
  const { examined, problems } = examine(options);
  problems.push(...examined.problems.map(({ text }) => text));
  checkKeys(examined, problems);
  const { draft, warnings, generated } = examined;
  const misspelled = misspelledVariables(options.env);
  // A misspelled variable is often the reason why a setting is missing, so it is reported with the problem.
  if (problems.length > 0) problems.unshift(...misspelled);
  const config = completeConfig(draft, problems);
  return { config, warnings: [...misspelled, ...warnings], generated };
};

/**
 * What a command needs that looks after the stores and nothing else: the rest of the configuration need not be there.
 *
 * @throws ConfigError with every problem of `dev` and `storage`.
 */
export const loadStorageConfig = (options: LoadOptions): StorageConfig => {
  const { examined, problems } = examine(options);
  for (const { key, text } of examined.problems) if (/^(?:dev|storage)(?:\.|$)/.test(key)) problems.push(text);
  return completeConfig(examined.draft, problems).storage;
};
