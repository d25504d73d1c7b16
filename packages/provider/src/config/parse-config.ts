import type { z } from 'zod';
import { ConfigError } from '../errors.ts';
import { fillDevDefaults } from './dev-defaults.ts';
import { isProduction } from './production.ts';
import { type Rule, type Surroundings, settingOf } from './rule.ts';
import { cautions, required, rules } from './rules.ts';
import { type Config, type ConfigInput, configSchema, type Draft } from './schema.ts';
import { keysAt } from './schema-keys.ts';
import { getAt, isTree, type Origins, type Tree, withoutAt } from './settings.ts';
import { suggest } from './suggest.ts';

/** What is wrong with the value of a key, said with its name. */
export interface Problem {
  readonly key: string;
  readonly text: string;
}

/** What came of a configuration: with problems, `draft` is what is left without the values that are wrong. */
export interface Examined {
  readonly draft: Draft;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  readonly generated: readonly string[];
  isInvalid(key: string): boolean;
}

/** `PORT (public.port)`, `public.port in carnet.yaml`, or the key alone. */
const nameOf = (key: string, origins: Origins): string => {
  const known = [...origins.keys()].find((origin) => key === origin || key.startsWith(`${origin}.`));
  return known === undefined ? key : `${origins.get(known)} (${key})`;
};

interface Wrong {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

const wrongs = (issue: z.core.$ZodIssue): Wrong[] => {
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, message: issue.message }];
  const known = keysAt(issue.path);
  return issue.keys.map((key) => {
    const meant = suggest(key, known);
    const advice = meant === undefined ? `Known here: ${known.join(', ')}.` : `Did you mean "${meant}"?`;
    return { path: [...issue.path, key], message: `is no key of the configuration. ${advice}` };
  });
};

/** Parses as much as can be: what is wrong is taken out and reported, so that the rest can be checked in the same go. */
const parseLeniently = (input: Tree): { draft: Draft; wrong: Wrong[] } => {
  const result = configSchema.safeParse(input);
  if (result.success) return { draft: result.data, wrong: [] };
  const wrong = result.error.issues.flatMap(wrongs);
  const rest = wrong.reduce((tree, { path }) => withoutAt(tree, path), input);
  return { draft: configSchema.parse(rest), wrong };
};

const broken = (table: readonly Rule[], draft: Draft, surroundings: Surroundings): { key: string; message: string }[] =>
  table.flatMap(({ key, check }) => {
    const message = check(draft, surroundings);
    return message ? [{ key, message }] : [];
  });

const missing = (draft: Draft, surroundings: Surroundings): { key: string; message: string }[] =>
  required.flatMap(({ key, what }) =>
    getAt(draft, key) === undefined
      ? [{ key, message: `is missing. ${settingOf(key, surroundings)} to ${what}.` }]
      : [],
  );

/** Checks everything there is to check and collects all that is wrong, naming keys by where they came from. */
export const examineConfig = (input: Tree, origins: Origins, surroundings: Surroundings): Examined => {
  const { draft, wrong } = parseLeniently(input);
  const invalidKeys = wrong.map(({ path }) => path.join('.'));
  const isInvalid = (key: string): boolean =>
    invalidKeys.some((other) => other === key || other.startsWith(`${key}.`) || key.startsWith(`${other}.`));
  const generated = draft.dev ? fillDevDefaults(draft, isInvalid, surroundings.devMode) : [];
  draft.public.host ??= '0.0.0.0';
  const say = ({ key, message }: { key: string; message: string }): string => `${nameOf(key, origins)}: ${message}`;
  const unmet = [...missing(draft, surroundings), ...broken(rules, draft, surroundings)].filter(
    ({ key }) => !isInvalid(key),
  );
  return {
    draft,
    problems: [...wrong.map(({ path, message }) => ({ key: path.join('.'), message })), ...unmet].map((problem) => ({
      key: problem.key,
      text: say(problem),
    })),
    warnings: broken(cautions, draft, surroundings).map(say),
    generated,
    isInvalid,
  };
};

/** The examined configuration, once nothing is wrong with it. */
export const completeConfig = (draft: Draft, problems: readonly string[]): Config => {
  if (problems.length > 0) throw new ConfigError(problems);
  // Sound because `required` and the host's default cover exactly what Config has beyond Draft.
  return draft as Config;
};

/**
 * The configuration of a program that calls `createProvider`. A complete `Config` comes back equal.
 *
 * @throws ConfigError with every problem at once.
 */
export const parseConfig = (
  input: ConfigInput,
  surroundings: Surroundings = { production: isProduction() },
): Config => {
  if (!isTree(input)) throw new ConfigError(['the configuration must be an object']);
  const { draft, problems } = examineConfig(input, new Map(), surroundings);
  return completeConfig(
    draft,
    problems.map(({ text }) => text),
  );
};
