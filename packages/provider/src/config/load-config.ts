import { ConfigError } from '../errors.ts';
import { loadKeys } from '../keys/load-keys.ts';
import type { Environment } from './env.ts';
import { completeConfig, type Examined, examineConfig } from './parse-config.ts';
import { readConfigFile } from './read-file.ts';
import { applyVariables } from './read-variables.ts';
import type { Config } from './schema.ts';
import { isTree, type Tree, withAt } from './settings.ts';

export interface LoadOptions {
  /** A YAML or JSON file; the environment goes over it, `dev` and `workers` over both. */
  readonly file?: string;
  readonly env: Environment;
  readonly dev?: boolean;
  readonly workers?: number;
  /** Default: `NODE_ENV` of `env` is `production`. */
  readonly production?: boolean;
}

export interface Loaded {
  readonly config: Config;
  readonly warnings: readonly string[];
  /** Keys that dev mode made up at random for this process. */
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

/**
 * The configuration of a process: file, environment and flags, checked together, the key file included.
 *
 * @throws ConfigError with every problem at once, each naming the key, or the variable it came from.
 */
export const loadConfig = (options: LoadOptions): Loaded => {
  const { file, env, dev, workers, production = env.NODE_ENV === 'production' } = options;
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
  const examined = examineConfig(settings, origins, { production });
  problems.push(...examined.problems);
  checkKeys(examined, problems);
  const { draft, warnings, generated } = examined;
  return { config: completeConfig({ draft, problems }), warnings, generated };
};
