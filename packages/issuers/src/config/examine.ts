import {
  type Draft,
  type Examined,
  examineConfig,
  getAt,
  isTree,
  type Layout,
  type Origins,
  type Problem,
  problemText,
  type Surroundings,
  secretVariableOf,
  type Tree,
  withAt,
} from '@carnet/provider/config';
import { type Address, addressProblems } from './addresses.ts';
import { foreignKeys, inherit } from './inherit.ts';
import { isIssuerName, variablePrefixOf } from './schema.ts';

export interface ExamineOptions<Given extends Draft> {
  readonly origins: Origins;
  readonly surroundings: Surroundings;
  readonly layout: Layout<Given>;
}

/** The further issuers of a configuration. If there are problems, the drafts lack the invalid values. */
export interface ExaminedIssuers<Given extends Draft> {
  readonly issuers: ReadonlyMap<string, ExaminedIssuer<Given>>;
  /** Those of all issuers, as text. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** The settings of each issuer in the section `issuers`, as far as they can be read. */
export const issuersIn = ({ issuers }: Tree): readonly (readonly [string, Tree])[] =>
  isTree(issuers)
    ? Object.entries(issuers).flatMap(([name, own]) =>
        isIssuerName(name) && isTree(own) ? [[name, own] as const] : [],
      )
    : [];

/** The keys that dev mode generates for the first issuer. The others use the same values. */
const devKeys = ['storage.default', 'storage.migrate', 'secrets.system', 'keys.jwks'];

const withGenerated = (settings: Tree, { dev, ...draft }: Draft): Tree =>
  devKeys.reduce((tree, key) => {
    const value = dev && getAt(tree, key) === undefined ? getAt(draft, key) : undefined;
    return value === undefined ? tree : withAt(tree, key, value);
  }, settings);

/** The origins of the keys of an issuer: its own, over those that it inherits. */
const originsOf = (prefix: string, origins: Origins): Origins =>
  new Map([
    ...origins,
    ...[...origins]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, at]) => [key.slice(prefix.length), at] as const),
  ]);

/** The origin of a key, or of one below it. */
const originWithin = (key: string, origins: Origins): string | undefined =>
  origins.get(key) ?? [...origins].find(([other]) => other.startsWith(`${key}.`))?.[1];

/** The variable of an issuer that sets a key, in a program that reads the environment. */
const variablesOf = (name: string, { variableFor, ...surroundings }: Surroundings): Surroundings => ({
  ...surroundings,
  ...(variableFor !== undefined && {
    variableFor: (key) => {
      const variable = variableFor(key);
      return variable && variablePrefixOf(name) + variable;
    },
  }),
});

/** Whether a problem of an issuer is that of the top level, from which the issuer has the value. */
const isInherited = ({ key }: Problem, own: Tree, first: readonly Problem[]): boolean =>
  getAt(own, key) === undefined && first.some((other) => other.key === key);

/** The top level and its problems, with which each issuer is examined. */
export interface Inheritance<Given extends Draft> extends ExamineOptions<Given> {
  readonly top: Tree;
  readonly first: Pick<Examined<Given>, 'problems' | 'warnings'>;
}

export const createInheritance = <Given extends Draft>(
  settings: Tree,
  first: Examined<Given>,
  options: ExamineOptions<Given>,
): Inheritance<Given> => {
  const { issuers: _issuers, ...top } = settings;
  return { ...options, top: withGenerated(top, first.draft), first };
};

/** One issuer. Its problems name their keys without the prefix `issuers.NAME`, and their texts with it. */
export interface ExaminedIssuer<Given extends Draft> {
  readonly name: string;
  readonly examined: Examined<Given>;
  /** The URL, if it is valid. */
  readonly url: string | undefined;
  readonly problems: readonly Pick<Problem, 'key' | 'text'>[];
  readonly warnings: readonly string[];
}

/** Second factors and revocations in an accounts database are found by the subject, whatever directory the user is in. */
const sharedDatabaseWarnings = (own: Tree, top: Tree) =>
  getAt(own, 'accounts.directories') !== undefined &&
  getAt(own, 'accounts.database') === undefined &&
  typeof getAt(top, 'accounts.database') === 'string'
    ? [
        {
          label: 'accounts.directories',
          message:
            'are other users than those of the top level, but the second factors are in the same database: users with the same subject have them in common. Set accounts.database, too.',
          origin: undefined,
        },
      ]
    : [];

/** Names the variables for the secrets of an issuer's clients as the issuer has them: `ISSUER_ACME_CLIENT_SHOP_SECRET`. */
const withOwnVariables = (name: string, { clients }: Tree, message: string): string =>
  (Array.isArray(clients) ? clients : [])
    .flatMap((client) => (isTree(client) ? [secretVariableOf(String(client.client_id))] : []))
    .reduce((text, variable) => text.replaceAll(` ${variable}`, ` ${variablePrefixOf(name)}${variable}`), message);

/** Checks the settings of one issuer, with those that it inherits. */
export const examineIssuer = <Given extends Draft>(
  name: string,
  own: Tree,
  inheritance: Inheritance<Given>,
): ExaminedIssuer<Given> => {
  const { top, first, origins, surroundings, layout } = inheritance;
  const prefix = `issuers.${name}.`;
  const examined = examineConfig(
    inherit(name, top, own),
    originsOf(prefix, origins),
    variablesOf(name, surroundings),
    layout,
  );
  const textOf = ({ label, message, origin }: Omit<Problem, 'key' | 'text'>): string =>
    problemText({ label: `${prefix}${label}`, message: withOwnVariables(name, own, message), origin });
  const ownProblem = (key: string, message: string) => ({
    key,
    text: textOf({ label: key, message, origin: originWithin(prefix + key, origins) }),
  });
  const hasUrl = own.issuer !== undefined && own.issuer !== null;
  return {
    name,
    examined,
    url: hasUrl && !examined.isInvalid('issuer') ? examined.draft.issuer : undefined,
    problems: [
      ...(hasUrl ? [] : [ownProblem('issuer', 'is missing. Set it to the URL of this issuer.')]),
      ...foreignKeys(own).map((key) => ownProblem(key, 'is the same for all issuers. Set it at the top level only.')),
      ...examined.problems
        .filter(({ key }) => hasUrl || key !== 'issuer')
        .filter((problem) => !isInherited(problem, own, first.problems))
        .map((problem) => ({ key: problem.key, text: textOf(problem) })),
    ],
    warnings: [
      ...examined.warnings.filter((warning) => !isInherited(warning, own, first.warnings)),
      ...sharedDatabaseWarnings(own, top),
    ].map(textOf),
  };
};

/**
 * Checks the section `issuers`, after the top level. A problem that the top level has, too, is reported there alone.
 *
 * @param settings with the section `issuers`
 * @param first the top level, examined
 */
export const examineIssuers = <Given extends Draft>(
  settings: Tree,
  first: Examined<Given>,
  options: ExamineOptions<Given>,
): ExaminedIssuers<Given> => {
  const inheritance = createInheritance(settings, first, options);
  const results = issuersIn(settings).map(([name, own]) => examineIssuer(name, own, inheritance));
  const addresses: Address[] = results.flatMap(({ name, url }) => (url === undefined ? [] : [{ name, issuer: url }]));
  if (first.draft.issuer !== undefined) addresses.unshift({ name: undefined, issuer: first.draft.issuer });
  const taken = addressProblems(addresses).map(({ name, message }) => {
    const label = `issuers.${name}.issuer`;
    return problemText({ label, message, origin: options.origins.get(label) });
  });
  return {
    issuers: new Map(results.map((result) => [result.name, result])),
    problems: [...results.flatMap(({ problems }) => problems.map(({ text }) => text)), ...taken],
    warnings: results.flatMap(({ warnings }) => warnings),
  };
};
