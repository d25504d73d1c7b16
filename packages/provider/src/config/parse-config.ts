import type { z } from 'zod';
import { ConfigError } from '../errors.ts';
import { fieldMessage } from '../validation.ts';
import type { ConfigInput } from './config-input.ts';
import { fillDevDefaults } from './dev-defaults.ts';
import { isProduction } from './production.ts';
import { type Layout, type Rule, type Surroundings, settingOf } from './rule.ts';
import { cautions, required, rules } from './rules.ts';
import { type Completed, type Config, configSchema, type Draft } from './schema.ts';
import { allKeys, keysAt } from './schema-keys.ts';
import { getAt, isTree, type Origins, type Tree, withoutAt } from './settings.ts';
import { suggest } from './suggest.ts';

/** The problem of a value. */
export interface Problem {
  readonly key: string;
  /** The key as it is shown. */
  readonly label: string;
  readonly message: string;
  /** The file, the variable or the flag that sets the key. */
  readonly origin: string | undefined;
  readonly text: string;
}

/** Names the key `PORT (public.port)`, `carnet.yaml (public.port)`, or the key alone if its origin is not known. */
export const problemText = ({ label, message, origin }: Omit<Problem, 'key' | 'text'>): string =>
  `${origin === undefined ? label : `${origin} (${label})`}: ${message}`;

/** The result of parsing. If there are problems, `draft` is the configuration without the invalid values. */
export interface Examined<Given extends Draft = Draft> {
  readonly draft: Given;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly generated: readonly string[];
  isInvalid(key: string): boolean;
}

interface Fault {
  readonly key: string;
  /** The key as it is shown. Default: as it is. */
  readonly label?: string;
  readonly message: string;
}

const problemOf = ({ key, label = key, message }: Fault, origin: string | undefined): Problem => {
  const parts = { label, message, origin };
  return { key, ...parts, text: problemText(parts) };
};

/** The origin of a key, or of the key above it that is set as a whole. */
const originOf = (key: string, origins: Origins): string | undefined =>
  origins.get(key) ?? [...origins].find(([other]) => key.startsWith(`${other}.`))?.[1];

/** The origin of a key, or of a key below it: a section that should not be there. */
const originWithin = (key: string, origins: Origins): string | undefined =>
  originOf(key, origins) ?? [...origins].find(([other]) => other.startsWith(`${key}.`))?.[1];

interface Wrong {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The dotted key, with the name of the list item that it is in: `clients.2.redirect_uris of "shop"`. */
const labelOf = (input: Tree, path: readonly PropertyKey[]): string => {
  const key = path.map(String).join('.');
  const index = path.findIndex((name) => typeof name === 'number');
  const item = index < 0 ? undefined : getAt(input, path.slice(0, index).map(String).join('.'));
  const { client_id, name = client_id } = ((item as Tree[] | undefined)?.[Number(path[index])] ?? {}) as Tree;
  return typeof name === 'string' ? `${key} of ${JSON.stringify(name.slice(0, 64))}` : key;
};

const commandSections = ['public', 'workers', 'metrics', 'console', 'issuers', 'limits'];

/** The keys that the `carnet` command adds to those of the library. */
export const commandKeys = [...commandSections, 'admin.host', 'admin.port', 'http.shutdownSeconds'];

/** The advice for an unknown key: the key that was probably meant, here or in another section. */
const adviceFor = (config: z.core.$ZodType, key: string, path: readonly PropertyKey[]): string => {
  const full = [...path, key].join('.');
  if (full === 'issuers' || full === 'limits') return 'Pass the configuration to `createIssuers` of @carnet/issuers.';
  if (commandKeys.includes(full)) return 'Only the `carnet` command reads it. Leave it out.';
  const known = keysAt(config, path);
  const meant = suggest(key, known);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  const isInList = path.some((name) => typeof name === 'number');
  const elsewhere = isInList ? [] : allKeys(config).filter((other) => other.endsWith(`.${key}`));
  if (elsewhere.length === 0 || elsewhere.length > 3) return `Known here: ${known.join(', ')}.`;
  return `Did you mean ${elsewhere.map((other) => `"${other}"`).join(' or ')}?`;
};

const wrongs = (config: z.core.$ZodType, issue: z.core.$ZodIssue): Wrong[] => {
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, message: issue.message }];
  return issue.keys.map((key) => ({
    path: [...issue.path, key],
    message: `is no key of the configuration. ${adviceFor(config, key, issue.path)}`,
  }));
};

/** For schemas without a message of their own. */
const defaultMessage: z.core.$ZodErrorMap = (issue) => (issue.input === undefined ? 'is missing' : fieldMessage(issue));

/** Parses as much as can be: what is wrong is taken out and reported, so that the rest can be checked in the same go. */
const parseLeniently = <Given>(schema: z.ZodType<Given>, input: Tree): { draft: Given; wrong: Wrong[] } => {
  const result = schema.safeParse(input, { error: defaultMessage });
  if (result.success) return { draft: result.data, wrong: [] };
  const wrong = result.error.issues.flatMap((issue) => wrongs(schema, issue));
  const rest = wrong.reduce((tree, { path }) => withoutAt(tree, path), input);
  return { draft: schema.parse(rest), wrong };
};

const broken = <Given>(table: readonly Rule<Given>[], draft: Given, surroundings: Surroundings): Fault[] =>
  table.flatMap(({ key, check }) => {
    const message = check(draft, surroundings);
    return message ? [{ key, message }] : [];
  });

const missing = (draft: Draft, surroundings: Surroundings): Fault[] =>
  required.flatMap(({ key, what }) =>
    getAt(draft, key) === undefined
      ? [{ key, message: `is missing. ${settingOf(key, surroundings)} to ${what}.` }]
      : [],
  );

/** Checks everything there is to check and collects all that is wrong, naming keys by where they came from. */
export const examineConfig = <Given extends Draft>(
  input: Tree,
  origins: Origins,
  surroundings: Surroundings,
  layout: Layout<Given>,
): Examined<Given> => {
  const { draft, wrong } = parseLeniently(layout.schema, input);
  const invalid = wrong.map(({ path, message }) => ({ key: path.join('.'), label: labelOf(input, path), message }));
  const isInvalid = (key: string): boolean =>
    invalid.some(({ key: other }) => other === key || other.startsWith(`${key}.`) || key.startsWith(`${other}.`));
  layout.fill?.(draft, isInvalid);
  const generated = draft.dev ? fillDevDefaults(draft, isInvalid, surroundings.devMode) : [];
  const unmet = [...missing(draft, surroundings), ...broken([...rules, ...(layout.rules ?? [])], draft, surroundings)];
  const ruleProblem = (fault: Fault): Problem => problemOf(fault, originOf(fault.key, origins));
  return {
    draft,
    problems: [
      ...invalid.map((fault) => problemOf(fault, originWithin(fault.key, origins))),
      ...unmet.filter(({ key }) => !isInvalid(key)).map(ruleProblem),
    ],
    warnings: broken([...cautions, ...(layout.cautions ?? [])], draft, surroundings).map(ruleProblem),
    generated,
    isInvalid,
  };
};

/** The examined configuration, once nothing is wrong with it. */
export const completeConfig = <Given extends Draft>(draft: Given, problems: readonly string[]): Completed<Given> => {
  if (problems.length > 0) throw new ConfigError(problems);
  // Sound because `required` covers exactly what Config has beyond Draft.
  return draft as Completed<Given>;
};

/**
 * The configuration of a program that calls `createProvider`. A complete `Config` comes back equal.
 *
 * @throws ConfigError with every problem at once.
 */
export const parseConfig = (
  input: ConfigInput,
  surroundings: Surroundings = { production: isProduction() },
  layout: Layout<Draft> = { schema: configSchema },
): Config => {
  if (!isTree(input)) throw new ConfigError(['the configuration must be an object']);
  const { draft, problems } = examineConfig(input, new Map(), surroundings, layout);
  return completeConfig(
    draft,
    problems.map(({ text }) => text),
  );
};
